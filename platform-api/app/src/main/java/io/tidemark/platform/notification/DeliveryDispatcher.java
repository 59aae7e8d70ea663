package io.tidemark.platform.notification;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.notification.DeliveryQueue.Addressed;
import io.tidemark.platform.notification.JdbcDeliveries.Settled;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.notification.MessageRenderer.StoppedIntegration;
import io.tidemark.platform.notification.WebhookTransport.Result;
import io.tidemark.platform.shared.PageRequest;
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
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Attempts deliveries of an integration. They are claimed together before and settled together
 * after the attempts, so of two dispatchers one makes them; one that dies in between leaves claims
 * that end by themselves, and the messages go again under the same identifiers.
 */
@Component
class DeliveryDispatcher {

  private static final int GONE = 410;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  /** A failing integration is tried by one delivery; the next one waits this long for its end. */
  private static final Duration PROBE = Duration.ofSeconds(30);

  /** Longer than any attempt and those before it. */
  private static final Duration CLAIM = Duration.ofMinutes(2);

  /** No attempt begins later after the first of those that are claimed together. */
  private static final Duration LONGEST_TOGETHER = Duration.ofMillis(200);

  private final TenantTransactions transactions;
  private final JdbcIntegrations integrations;
  private final JdbcDeliveries deliveries;
  private final IntegrationSecrets secrets;
  private final WebhookTransport transport;
  private final MailTransport mail;
  private final DeliveryQueue queue;
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
      DeliveryQueue queue,
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
    this.queue = queue;
    this.properties = properties;
    this.audit = audit;
    this.usage = usage;
    this.clock = clock;
  }

  /** Deliveries of one integration that this process may attempt until a time. */
  private record Claimed(Integration integration, List<Delivery> deliveries, Instant until) {}

  /** An attempt, and what came of it. */
  private record Attempted(Delivery delivery, Instant at, Instant end, Sent sent) {}

  /** What was sent, and its result. */
  private record Sent(@Nullable SentRequest request, Result result) {}

  /**
   * Attempts messages of one integration one after the other, as long as it takes them and answers
   * soon. Those that are left are let go: another look finds them.
   *
   * @param due of one integration and each of another order
   * @return whether some were let go
   */
  boolean dispatch(List<Due> due) {
    TenantId organization = due.get(0).organization();
    Optional<Claimed> claimed =
        transactions.within(
            organization,
            () ->
                claim(
                    organization,
                    due.get(0).integration(),
                    due.stream().map(Due::delivery).toList()));
    if (claimed.isEmpty()) {
      return false;
    }
    List<Attempted> attempted = attempt(organization, claimed.get());
    transactions.run(organization, () -> settle(organization, claimed.get(), attempted));
    return attempted.size() < claimed.get().deliveries().size();
  }

  private Optional<Claimed> claim(TenantId organization, String id, List<String> due) {
    Instant now = now();
    Optional<Integration> held = integrations.lock(organization, id);
    if (held.isEmpty() || !held.get().isDelivering(now)) {
      return Optional.empty();
    }
    Integration integration = held.get();
    boolean isProbe = integration.failures() > 0;
    Instant until = now.plus(CLAIM);
    List<Delivery> claimed =
        deliveries.claim(organization, id, isProbe ? due.subList(0, 1) : due, now, until);
    if (claimed.isEmpty()) {
      return Optional.empty();
    }
    if (isProbe) {
      integrations.setHealth(
          organization,
          integration.id(),
          integration.failingSince(),
          integration.failures(),
          now.plus(PROBE),
          null);
    }
    return Optional.of(new Claimed(integration, claimed, until));
  }

  private List<Attempted> attempt(TenantId organization, Claimed claimed) {
    List<Attempted> attempted = new ArrayList<>();
    Instant begin = now();
    for (Delivery delivery : claimed.deliveries()) {
      Instant at = now();
      Sent sent = attempt(organization, claimed.integration(), delivery, at);
      Instant end = now();
      attempted.add(new Attempted(delivery, at, end, sent));
      // What is taken is settled soon: the next message of its incident waits for it.
      if (isAway(sent.result())
          || isGone(sent.result())
          || !end.isBefore(begin.plus(LONGEST_TOGETHER))) {
        break;
      }
    }
    return attempted;
  }

  private Sent attempt(
      TenantId organization, Integration integration, Delivery delivery, Instant at) {
    String url = address(integration, delivery);
    try {
      if (integration.definition().isMail()) {
        return new Sent(new SentRequest(url, Map.of()), mail.send(url, delivery.body()));
      }
      String kind = Objects.requireNonNull(integration.definition().kind());
      String routingKey = routingKey(organization, integration);
      String body =
          kind.equals("pagerduty")
              ? MessageRenderer.withRoutingKey(delivery.body(), routingKey)
              : delivery.body();
      Map<String, String> headers = new LinkedHashMap<>();
      long seconds = at.getEpochSecond();
      headers.put("webhook-id", delivery.messageId());
      headers.put("webhook-timestamp", Long.toString(seconds));
      headers.put(
          "webhook-signature",
          WebhookSignature.header(
              keys(organization, integration, at), delivery.messageId(), seconds, body));
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

  private void settle(TenantId organization, Claimed claimed, List<Attempted> attempted) {
    Instant now = now();
    Optional<Integration> held = integrations.lock(organization, claimed.integration().id());
    if (held.isEmpty()) {
      return;
    }
    Integration integration = held.get();
    List<Settled> settled = attempted.stream().map(one -> settled(one, now)).toList();
    Set<String> ours = deliveries.settle(organization, claimed.until(), settled);
    deliveries.letGo(
        organization,
        claimed.deliveries().subList(attempted.size(), claimed.deliveries().size()).stream()
            .map(Delivery::id)
            .toList(),
        claimed.until());
    List<Attempted> known =
        attempted.stream().filter(one -> ours.contains(one.delivery().id())).toList();
    if (known.isEmpty()) {
      return;
    }
    deliveries.addAttempts(
        organization,
        known.stream()
            .map(one -> new JdbcDeliveries.LoggedAttempt(one.delivery().id(), logged(one)))
            .toList());
    count(organization, integration, known);
    judge(organization, integration, known, now);
  }

  private Settled settled(Attempted attempted, Instant now) {
    Delivery delivery = attempted.delivery();
    Result result = attempted.sent().result();
    boolean isOver =
        !result.isTaken() && !now.isBefore(delivery.createdAt().plus(properties.giveUpAfter()));
    Duration wait =
        wait(
            RetrySchedule.next(delivery.attemptCount() + 1, isAway(result), random.nextDouble()),
            result.retryAfter());
    String state = result.isTaken() ? "delivered" : isOver ? "failed" : "waiting";
    return new Settled(delivery.id(), state, now.plus(wait), state.equals("waiting") ? null : now);
  }

  private static DeliveryAttempt logged(Attempted attempted) {
    Result result = attempted.sent().result();
    return new DeliveryAttempt(
        attempted.at(),
        Duration.between(attempted.at(), attempted.end()).toMillis(),
        attempted.sent().request(),
        result.status(),
        result.isTaken() ? null : error(result),
        result.answer());
  }

  private void count(TenantId organization, Integration integration, List<Attempted> attempted) {
    long taken = attempted.stream().filter(one -> one.sent().result().isTaken()).count();
    if (taken > 0) {
      usage.addWithin(
          organization,
          List.of(
              new UsedUnits(
                  integration.environment().value(),
                  "integration",
                  integration.id(),
                  "",
                  "notifications_delivered",
                  taken)));
    }
  }

  private void judge(
      TenantId organization, Integration integration, List<Attempted> attempted, Instant now) {
    IntegrationHealth before = IntegrationHealth.of(integration);
    IntegrationHealth health = before;
    boolean isBack = false;
    for (Attempted one : attempted) {
      Result result = one.sent().result();
      if (result.isTaken()) {
        isBack |= health.hasWaiting();
        health = health.taken();
      } else {
        boolean isAway = isAway(result);
        int failures = Math.max(health.failures() + (isAway ? 1 : 0), 1);
        Duration pause =
            wait(RetrySchedule.next(failures, true, random.nextDouble()), result.retryAfter());
        health = health.failed(result.status(), isAway, pause, properties.disableAfter(), now);
      }
    }
    if (!health.equals(before)) {
      integrations.setHealth(
          organization,
          integration.id(),
          health.failingSince(),
          health.failures(),
          health.pausedUntil(),
          health.disabledReason());
    }
    if (isBack) {
      deliveries.hurry(organization, integration.id(), now);
    }
    if (health.disabledReason() != null && before.disabledReason() == null) {
      stopped(organization, integration, health.disabledReason(), now);
    }
  }

  /** Says that an integration takes nothing any more, to all others of its environment. */
  private void stopped(TenantId organization, Integration integration, String reason, Instant now) {
    audit.done(
        organization,
        Actor.system("notification"),
        "integration.disable",
        "integration",
        integration.id(),
        null,
        Map.of("reason", reason));
    Message message =
        Message.ofStopped(
            organization,
            integration.environment().value(),
            integration.id() + "-disabled-" + now.toEpochMilli(),
            now,
            new StoppedIntegration(integration.id(), integration.definition().name(), reason));
    queue.add(
        organization,
        integrations.list(organization, integration.environment(), "", PageRequest.MAX).stream()
            .filter(other -> !other.id().equals(integration.id()))
            .filter(other -> other.definition().enabled() && other.disabledReason() == null)
            .map(other -> new Addressed(other, message, now))
            .toList());
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

  private static boolean isGone(Result result) {
    return result.status() != null && result.status() == GONE;
  }

  private static String error(Result result) {
    return result.error() != null
        ? result.error()
        : "The receiver answered " + result.status() + "; 2xx says that it took the message.";
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
