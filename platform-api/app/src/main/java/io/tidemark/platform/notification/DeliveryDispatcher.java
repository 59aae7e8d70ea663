package io.tidemark.platform.notification;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.notification.WebhookTransport.Result;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.usage.UsageTally;
import io.tidemark.platform.usage.UsedUnits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes one attempt of one delivery. A delivery is claimed before and settled after the attempt, so
 * of two dispatchers one makes it; one that dies in between leaves a claim that ends by itself, and
 * the message goes again under the same identifier.
 */
@Component
class DeliveryDispatcher {

  private static final int GONE = 410;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  /** A failing integration is tried by one delivery; the next one waits this long for its end. */
  private static final Duration PROBE = Duration.ofSeconds(30);

  /** Longer than any attempt. */
  private static final Duration CLAIM = Duration.ofMinutes(2);

  private final TenantTransactions transactions;
  private final JdbcIntegrations integrations;
  private final JdbcDeliveries deliveries;
  private final IntegrationSecrets secrets;
  private final WebhookTransport transport;
  private final MailTransport mail;
  private final NotificationProperties properties;
  private final AuditLog audit;
  private final UsageTally usage;
  private final Clock clock;
  private final RandomGenerator random = RandomGenerator.getDefault();

  DeliveryDispatcher(
      TenantTransactions transactions,
      JdbcIntegrations integrations,
      JdbcDeliveries deliveries,
      IntegrationSecrets secrets,
      WebhookTransport transport,
      MailTransport mail,
      NotificationProperties properties,
      AuditLog audit,
      UsageTally usage,
      Clock clock) {
    this.transactions = transactions;
    this.integrations = integrations;
    this.deliveries = deliveries;
    this.secrets = secrets;
    this.transport = transport;
    this.mail = mail;
    this.properties = properties;
    this.audit = audit;
    this.usage = usage;
    this.clock = clock;
  }

  private record Claimed(Integration integration, Delivery delivery, Instant until) {}

  /** Makes an attempt, unless somebody else does or it is not the time. */
  void dispatch(Due due) {
    Optional<Claimed> claimed =
        transactions.within(due.organization(), () -> claim(due.organization(), due.delivery()));
    if (claimed.isEmpty()) {
      return;
    }
    Instant at = now();
    Result result = attempt(due.organization(), claimed.get(), at);
    transactions.run(
        due.organization(), () -> settle(due.organization(), claimed.get(), at, result));
  }

  private Optional<Claimed> claim(TenantId organization, String id) {
    Instant now = now();
    Optional<Delivery> delivery = deliveries.find(organization, id);
    if (delivery.isEmpty()) {
      return Optional.empty();
    }
    Integration integration =
        integrations.lock(organization, delivery.get().integrationId()).orElseThrow();
    Instant until = now.plus(CLAIM);
    if (!integration.isDelivering(now) || !deliveries.claim(organization, id, now, until)) {
      return Optional.empty();
    }
    if (integration.failures() > 0) {
      integrations.setHealth(
          organization,
          integration.id(),
          integration.failingSince(),
          integration.failures(),
          now.plus(PROBE),
          null);
    }
    return Optional.of(new Claimed(integration, delivery.get(), until));
  }

  private Result attempt(TenantId organization, Claimed claimed, Instant at) {
    Integration integration = claimed.integration();
    Delivery delivery = claimed.delivery();
    try {
      if (integration.definition().isMail()) {
        return mail.send(integration.definition().url(), delivery.body());
      }
      Map<String, String> headers = new LinkedHashMap<>();
      long seconds = at.getEpochSecond();
      headers.put("webhook-id", delivery.messageId());
      headers.put("webhook-timestamp", Long.toString(seconds));
      headers.put(
          "webhook-signature",
          WebhookSignature.header(
              keys(organization, integration, at), delivery.messageId(), seconds, delivery.body()));
      if (Objects.requireNonNull(integration.definition().kind()).equals("opsgenie")
          && integration.routingKey() != null) {
        headers.put(
            "Authorization",
            "GenieKey "
                + new String(
                    secrets.open(organization, integration.id(), integration.routingKey()),
                    StandardCharsets.UTF_8));
      }
      return transport.post(integration.definition().url(), headers, delivery.body());
    } catch (RuntimeException failure) {
      return new Result(null, String.valueOf(failure.getMessage()), null, null);
    }
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

  private void settle(TenantId organization, Claimed claimed, Instant at, Result result) {
    Instant now = now();
    Delivery delivery = claimed.delivery();
    Optional<Integration> held = integrations.lock(organization, claimed.integration().id());
    if (held.isEmpty()) {
      return;
    }
    Integration integration = held.get();
    int failures = delivery.attemptCount() + 1;
    boolean isAway = isAway(result);
    boolean isOver =
        !result.isTaken() && !now.isBefore(delivery.createdAt().plus(properties.giveUpAfter()));
    Duration wait =
        wait(RetrySchedule.next(failures, isAway, random.nextDouble()), result.retryAfter());
    String state = result.isTaken() ? "delivered" : isOver ? "failed" : "waiting";
    boolean isOurs =
        deliveries.settle(
            organization,
            delivery.id(),
            claimed.until(),
            state,
            now.plus(wait),
            state.equals("waiting") ? null : now);
    if (!isOurs) {
      return;
    }
    deliveries.addAttempt(
        organization,
        delivery.id(),
        new DeliveryAttempt(
            at,
            Duration.between(at, now).toMillis(),
            result.status(),
            result.isTaken() ? null : error(result),
            result.answer()));
    if (result.isTaken()) {
      usage.addWithin(
          organization,
          List.of(
              new UsedUnits(
                  integration.environment().value(),
                  "integration",
                  integration.id(),
                  "",
                  "notifications_delivered",
                  1)));
      succeed(organization, integration, now);
    } else {
      fail(organization, integration, result, isAway, now);
    }
  }

  private Duration wait(Duration scheduled, @Nullable Duration retryAfter) {
    return retryAfter == null
        ? scheduled
        : RetrySchedule.wished(retryAfter, scheduled, random.nextDouble());
  }

  /** No answer, or one of the receiver's own trouble; not one about this message. */
  private static boolean isAway(Result result) {
    Integer status = result.status();
    return status == null
        || status >= SERVER_ERROR
        || status == TOO_MANY
        || status == REQUEST_TIMEOUT;
  }

  private static String error(Result result) {
    return result.error() != null
        ? result.error()
        : "The receiver answered " + result.status() + "; 2xx says that it took the message.";
  }

  private void succeed(TenantId organization, Integration integration, Instant now) {
    if (integration.failingSince() == null && integration.failures() == 0) {
      return;
    }
    integrations.setHealth(
        organization, integration.id(), null, 0, null, integration.disabledReason());
    if (integration.failures() > 1) {
      deliveries.hurry(organization, integration.id(), now);
    }
  }

  private void fail(
      TenantId organization, Integration integration, Result result, boolean isAway, Instant now) {
    Instant since = integration.failingSince() == null ? now : integration.failingSince();
    String disabled = integration.disabledReason();
    if (result.status() != null && result.status() == GONE) {
      disabled = "The receiver answered 410: it does not want messages any more.";
    } else if (!now.isBefore(since.plus(properties.disableAfter()))) {
      disabled = "No message was taken since " + since + ".";
    }
    int failures = integration.failures() + (isAway ? 1 : 0);
    Duration pause =
        wait(
            RetrySchedule.next(Math.max(failures, 1), true, random.nextDouble()),
            result.retryAfter());
    integrations.setHealth(
        organization, integration.id(), since, failures, isAway ? now.plus(pause) : null, disabled);
    if (disabled != null && integration.disabledReason() == null) {
      audit.done(
          organization,
          Actor.system("notification"),
          "integration.disable",
          "integration",
          integration.id(),
          null,
          Map.of("reason", disabled));
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
