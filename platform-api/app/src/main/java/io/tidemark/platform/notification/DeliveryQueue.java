package io.tidemark.platform.notification;

import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Keeps messages in the running transaction, each once for an integration and an event. */
@Component
class DeliveryQueue {

  private static final int ID_BYTES = 16;

  private final JdbcDeliveries deliveries;
  private final IntegrationSecrets secrets;
  private final ApplicationEventPublisher events;

  DeliveryQueue(
      JdbcDeliveries deliveries, IntegrationSecrets secrets, ApplicationEventPublisher events) {
    this.deliveries = deliveries;
    this.secrets = secrets;
    this.events = events;
  }

  /** The delivery's identifier. */
  String add(TenantId organization, Integration integration, Message message, Instant now) {
    String digest = digest(integration.id() + "\n" + message.eventId());
    String routingKey =
        integration.routingKey() == null
            ? ""
            : new String(
                secrets.open(organization, integration.id(), integration.routingKey()),
                StandardCharsets.UTF_8);
    boolean isInBody = integration.definition().kind().equals("pagerduty");
    String id = "dlv-" + digest;
    deliveries.insert(
        organization,
        new Delivery(
            id,
            0,
            integration.id(),
            message.incident() == null ? id : message.incident().id(),
            "msg_" + digest,
            message.type(),
            message.incident() == null ? null : message.incident().id(),
            message.incident() == null ? null : message.eventId(),
            MessageRenderer.body(
                integration.definition().kind(), message, isInBody ? routingKey : ""),
            "waiting",
            now,
            now,
            0,
            null));
    events.publishEvent(new DeliveryQueued());
    return id;
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
