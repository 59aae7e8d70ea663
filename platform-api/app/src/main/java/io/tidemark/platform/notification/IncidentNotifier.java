package io.tidemark.platform.notification;

import io.tidemark.platform.alerting.Incident;
import io.tidemark.platform.alerting.IncidentChanged;
import io.tidemark.platform.alerting.IncidentsChanged;
import io.tidemark.platform.notification.DeliveryQueue.Addressed;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.PageRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Keeps a message for every integration that an incident concerns, in the transaction that writes
 * down what happened: neither is without the other.
 */
@Component
class IncidentNotifier {

  private final JdbcIntegrations integrations;
  private final DeliveryQueue queue;

  IncidentNotifier(JdbcIntegrations integrations, DeliveryQueue queue) {
    this.integrations = integrations;
    this.queue = queue;
  }

  @EventListener
  void notify(IncidentsChanged changed) {
    Map<EnvironmentId, List<Integration>> byEnvironment = new HashMap<>();
    List<Addressed> messages = new ArrayList<>();
    for (IncidentChanged change : changed.changes()) {
      Incident incident = change.incident();
      Message message =
          new Message(
              change.organization(),
              incident.environment().value(),
              change.type(),
              change.eventId(),
              change.at(),
              incident);
      byEnvironment
          .computeIfAbsent(
              incident.environment(),
              environment ->
                  integrations.list(change.organization(), environment, "", PageRequest.MAX))
          .stream()
          .filter(integration -> integration.definition().enabled())
          .filter(
              integration ->
                  integration.definition().concerns(incident.severity(), incident.labels()))
          .forEach(integration -> messages.add(new Addressed(integration, message, change.at())));
    }
    queue.add(changed.changes().get(0).organization(), messages);
  }
}
