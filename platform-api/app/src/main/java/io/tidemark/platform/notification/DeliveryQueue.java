package io.tidemark.platform.notification;

import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Keeps messages in the running transaction, each once for an integration and an event. */
@Component
class DeliveryQueue {

  private static final int ID_BYTES = 16;

  private final JdbcDeliveries deliveries;
  private final ApplicationEventPublisher events;

  DeliveryQueue(JdbcDeliveries deliveries, ApplicationEventPublisher events) {
    this.deliveries = deliveries;
    this.events = events;
  }

  /** A message, and to whom it goes at what time. */
  record Addressed(Integration integration, Message message, Instant at) {}

  /** The delivery's identifier. */
  String add(TenantId organization, Integration integration, Message message, Instant now) {
    Delivery delivery = delivery(new Addressed(integration, message, now));
    keep(organization, List.of(delivery));
    return delivery.id();
  }

  /** Keeps messages; those of one incident are delivered in this order. */
  void add(TenantId organization, List<Addressed> messages) {
    keep(organization, messages.stream().map(DeliveryQueue::delivery).toList());
  }

  private void keep(TenantId organization, List<Delivery> kept) {
    if (!kept.isEmpty()) {
      deliveries.insert(organization, kept);
      events.publishEvent(new DeliveryQueued());
    }
  }

  private static Delivery delivery(Addressed addressed) {
    Integration integration = addressed.integration();
    Message message = addressed.message();
    String digest = digest(integration.id() + "\n" + message.eventId());
    String id = "dlv-" + digest;
    return new Delivery(
        id,
        0,
        integration.id(),
        message.incident() == null ? id : message.incident().id(),
        "msg_" + digest,
        message.type(),
        message.incident() == null ? null : message.incident().id(),
        message.incident() == null ? null : message.eventId(),
        MessageRenderer.body(
            Objects.requireNonNull(integration.definition().kind()),
            integration.definition().url(),
            message),
        "waiting",
        addressed.at(),
        addressed.at(),
        0,
        null);
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
