package io.tidemark.platform.notification;

import io.tidemark.platform.alerting.IncidentChanged;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.PageRequest;
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
  void notify(IncidentChanged changed) {
    var incident = changed.incident();
    Message message =
        new Message(
            changed.organization(),
            incident.environment().value(),
            changed.type(),
            changed.eventId(),
            changed.at(),
            incident);
    for (Integration integration :
        integrations.list(
            changed.organization(), incident.environment(), "", PageRequest.GREATEST)) {
      if (integration.definition().enabled()
          && integration.definition().concerns(incident.severity(), incident.labels())) {
        var unused = queue.add(changed.organization(), integration, message, changed.at());
      }
    }
  }
}
