package io.tidemark.platform.notification;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.notification.DeliveryQueue.Addressed;
import io.tidemark.platform.notification.JdbcDeliveries.Settled;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.notification.MessageRenderer.StoppedIntegration;
import io.tidemark.platform.notification.MessageSender.OutgoingMessage;
import io.tidemark.platform.notification.MessageSender.Sent;
import io.tidemark.platform.notification.WebhookTransport.Result;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.usage.UsageTally;
import io.tidemark.platform.usage.UsedUnits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
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
  private final MessageSender sender;
  private final DeliveryQueue queue;
  private final NotificationProperties properties;
  private final AuditLog audit;
  private final UsageTally usage;
  private final IncidentLinks links;
  private final Clock clock;
  private final RandomGenerator random = RandomGenerator.getDefault();

  DeliveryDispatcher(
      TenantTransactions transactions,
      JdbcIntegrations integrations,
      JdbcDeliveries deliveries,
      MessageSender sender,
      DeliveryQueue queue,
      NotificationProperties properties,
      AuditLog audit,
      UsageTally usage,
      IncidentLinks links,
      Clock clock) {
    this.transactions = transactions;
    this.integrations = integrations;
    this.deliveries = deliveries;
    this.sender = sender;
    this.queue = queue;
    this.properties = properties;
    this.audit = audit;
    this.usage = usage;
    this.links = links;
    this.clock = clock;
  }

  /** Messages of one integration that this process may attempt until a time. */
  private record Claimed(Integration integration, List<OutgoingMessage> messages, Instant until) {}

  /** An attempt, and what came of it. */
  private record Attempted(OutgoingMessage message, Instant at, Instant end, Sent sent) {}

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
    return attempted.size() < claimed.get().messages().size();
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
    List<OutgoingMessage> messages = new ArrayList<>();
    Set<String> carried = new HashSet<>();
    for (Delivery delivery : claimed) {
      if (carried.add(delivery.id())) {
        OutgoingMessage message = outgoing(organization, integration, delivery, now, until);
        message.deliveries().forEach(one -> carried.add(one.id()));
        messages.add(message);
      }
    }
    return Optional.of(new Claimed(integration, messages, until));
  }

  private OutgoingMessage outgoing(
      TenantId organization,
      Integration integration,
      Delivery delivery,
      Instant now,
      Instant until) {
    if (delivery.group() == null) {
      return new OutgoingMessage(delivery.messageId(), delivery.body(), List.of(delivery));
    }
    GroupedMessage message =
        delivery.carriedIn() == null
            ? group(organization, integration, delivery, now, until)
            : deliveries.carried(organization, delivery.carriedIn(), now, until);
    return new OutgoingMessage(message.messageId(), message.body(), message.deliveries());
  }

  /** What is grouped once stays so: whoever attempts the message again sends the same. */
  private GroupedMessage group(
      TenantId organization, Integration integration, Delivery first, Instant now, Instant until) {
    int most = integration.definition().grouping().most();
    String kind = Objects.requireNonNull(integration.definition().kind());
    GroupedMessage message =
        GroupedMessage.of(
            integration,
            GroupedMessage.together(kind, deliveries.candidates(organization, first, most), most),
            links.incidents(organization, integration.environment()));
    deliveries.carry(organization, integration.id(), message, now, until);
    return message;
  }

  private List<Attempted> attempt(TenantId organization, Claimed claimed) {
    List<Attempted> attempted = new ArrayList<>();
    Instant begin = now();
    for (OutgoingMessage message : claimed.messages()) {
      Instant at = now();
      Sent sent = sender.send(organization, claimed.integration(), message, at);
      Instant end = now();
      attempted.add(new Attempted(message, at, end, sent));
      // What is taken is settled soon: the next message of its incident waits for it.
      if (isAway(sent.result())
          || isGone(sent.result())
          || !end.isBefore(begin.plus(LONGEST_TOGETHER))) {
        break;
      }
    }
    return attempted;
  }

  private void settle(TenantId organization, Claimed claimed, List<Attempted> attempted) {
    Instant now = now();
    Optional<Integration> held = integrations.lock(organization, claimed.integration().id());
    if (held.isEmpty()) {
      return;
    }
    Integration integration = held.get();
    List<Settled> settled = attempted.stream().flatMap(one -> settled(one, now)).toList();
    Set<String> ours = deliveries.settle(organization, claimed.until(), settled);
    deliveries.letGo(
        organization,
        claimed.messages().subList(attempted.size(), claimed.messages().size()).stream()
            .flatMap(message -> message.deliveries().stream())
            .map(Delivery::id)
            .toList(),
        claimed.until());
    List<Attempted> known =
        attempted.stream()
            .filter(
                one ->
                    one.message().deliveries().stream()
                        .anyMatch(delivery -> ours.contains(delivery.id())))
            .toList();
    if (known.isEmpty()) {
      return;
    }
    deliveries.addAttempts(
        organization,
        known.stream()
            .flatMap(
                one ->
                    one.message().deliveries().stream()
                        .filter(delivery -> ours.contains(delivery.id()))
                        .map(
                            delivery ->
                                new JdbcDeliveries.LoggedAttempt(delivery.id(), logged(one))))
            .toList());
    count(organization, integration, known);
    judge(organization, integration, known, now);
  }

  /** What a message carries is attempted again together. */
  private Stream<Settled> settled(Attempted attempted, Instant now) {
    Result result = attempted.sent().result();
    Duration wait =
        wait(
            RetrySchedule.next(
                attempted.message().first().attemptCount() + 1,
                isAway(result),
                random.nextDouble()),
            result.retryAfter());
    return attempted.message().deliveries().stream()
        .map(
            delivery -> {
              boolean isOver =
                  !result.isTaken()
                      && !now.isBefore(delivery.createdAt().plus(properties.giveUpAfter()));
              String state = result.isTaken() ? "delivered" : isOver ? "failed" : "waiting";
              return new Settled(
                  delivery.id(), state, now.plus(wait), state.equals("waiting") ? null : now);
            });
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
