package io.tidemark.platform.notification;

import io.tidemark.platform.notification.WebhookTransport.Result;
import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Sends one message to its integration, by mail or as a signed request. What it tells of the
 * request holds no secret of the integration.
 */
@Component
class MessageSender {

  private final IntegrationSecrets secrets;
  private final WebhookTransport transport;
  private final MailTransport mail;

  MessageSender(IntegrationSecrets secrets, WebhookTransport transport, MailTransport mail) {
    this.secrets = secrets;
    this.transport = transport;
    this.mail = mail;
  }

  /** What is sent at once, and the deliveries that it settles; the first tells what it is about. */
  record OutgoingMessage(String messageId, String body, List<Delivery> deliveries) {
    Delivery first() {
      return deliveries.get(0);
    }
  }

  /** What was sent, and its result. */
  record Sent(@Nullable SentRequest request, Result result) {}

  /**
   * Sends a message once, signed as of a time. Whatever stops it is told in the result; nothing is
   * thrown.
   */
  Sent send(TenantId organization, Integration integration, OutgoingMessage message, Instant at) {
    String url = address(integration, message.first());
    try {
      if (integration.definition().isMail()) {
        return new Sent(new SentRequest(url, Map.of()), mail.send(url, message.body()));
      }
      String kind = Objects.requireNonNull(integration.definition().kind());
      String routingKey = routingKey(organization, integration);
      String body =
          kind.equals("pagerduty")
              ? MessageRenderer.withRoutingKey(message.body(), routingKey)
              : message.body();
      Map<String, String> headers = new LinkedHashMap<>();
      long seconds = at.getEpochSecond();
      headers.put("webhook-id", message.messageId());
      headers.put("webhook-timestamp", Long.toString(seconds));
      headers.put(
          "webhook-signature",
          WebhookSignature.header(
              keys(organization, integration, at), message.messageId(), seconds, body));
      SentRequest shown = new SentRequest(url, Map.copyOf(headers));
      if (kind.equals("opsgenie") && !routingKey.isEmpty()) {
        headers.put("Authorization", "GenieKey " + routingKey);
      }
      return new Sent(shown, transport.post(url, headers, body));
    } catch (RuntimeException failure) {
      return new Sent(null, new Result(null, String.valueOf(failure.getMessage()), null, null));
    }
  }

  private static String address(Integration integration, Delivery delivery) {
    String url = integration.definition().url();
    boolean isAboutAlert =
        "opsgenie".equals(integration.definition().kind())
            && OpsgenieAddress.isApi(url)
            && delivery.incidentId() != null
            && MessageRenderer.isNote(delivery.body());
    return isAboutAlert
        ? OpsgenieAddress.of(url, delivery.type(), Objects.requireNonNull(delivery.incidentId()))
        : url;
  }

  /** Empty without one. */
  private String routingKey(TenantId organization, Integration integration) {
    return integration.routingKey() == null
        ? ""
        : new String(
            secrets.open(organization, integration.id(), integration.routingKey()),
            StandardCharsets.UTF_8);
  }

  private List<byte[]> keys(TenantId organization, Integration integration, Instant at) {
    List<byte[]> keys = new ArrayList<>();
    keys.add(secrets.open(organization, integration.id(), integration.secret()));
    if (integration.oldSecret() != null
        && Objects.requireNonNull(integration.oldSecretUntil()).isAfter(at)) {
      keys.add(secrets.open(organization, integration.id(), integration.oldSecret()));
    }
    return keys;
  }
}
