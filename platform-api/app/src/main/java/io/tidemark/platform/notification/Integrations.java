package io.tidemark.platform.notification;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Integrations and their deliveries as people make and see them. */
@Service
public class Integrations {

  /** How long deliveries are signed with the secret before, too. */
  static final Duration OVERLAP = Duration.ofHours(24);

  private static final int MAX = 50;
  private static final int MAX_ATTEMPTS = 20;
  private static final int LONGEST_ROUTING_KEY = 255;
  private static final String TYPE = "integration";

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcIntegrations rows;
  private final JdbcDeliveries deliveries;
  private final DeliveryQueue queue;
  private final IntegrationSecrets secrets;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final IdentifierSource identifiers;
  private final Clock clock;
  private final AddressPolicy addresses;
  private final MailTransport mail;

  Integrations(
      TenantTransactions transactions,
      Environments environments,
      JdbcIntegrations rows,
      JdbcDeliveries deliveries,
      DeliveryQueue queue,
      IntegrationSecrets secrets,
      IdempotentCreation creation,
      AuditLog audit,
      IdentifierSource identifiers,
      Clock clock,
      NotificationProperties properties,
      MailTransport mail) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.deliveries = deliveries;
    this.queue = queue;
    this.secrets = secrets;
    this.creation = creation;
    this.audit = audit;
    this.identifiers = identifiers;
    this.clock = clock;
    this.mail = mail;
    this.addresses = AddressPolicy.of(properties.allowedAddresses());
  }

  /** An integration, and its secret when that is new; else null. */
  public record WithSecret(Integration integration, @Nullable String secret) {}

  /** A delivery and its newest attempts, oldest of them first. */
  public record DeliveryLog(Delivery delivery, List<DeliveryAttempt> attempts) {}

  /** Integrations of an environment by identifier; {@code not_found}. */
  public Page<Integration> list(TenantId organization, String environment, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, page.after(), page.limit() + 1),
                page,
                Integration::id));
  }

  /** An integration of the environment; {@code not_found}. */
  public Integration get(TenantId organization, String environment, String id) {
    return transactions.within(organization, () -> found(organization, environment, id));
  }

  /**
   * Makes an integration, once for an idempotency key. The secret is in the answer to the first
   * request only.
   *
   * @param routingKey null without one
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<WithSecret> create(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      IntegrationDefinition definition,
      @Nullable String routingKey,
      boolean isTested) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(definition, routingKey, false);
    return creation.once(
        organization,
        "integration.create " + environment,
        idempotencyKey,
        definition + "\n" + routingKey + "\n" + isTested,
        new Creation<>(
            () -> make(organization, actor, place, definition, routingKey, isTested),
            made -> made.integration().id(),
            id -> new WithSecret(get(organization, environment, id), null)));
  }

  private WithSecret make(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      IntegrationDefinition definition,
      @Nullable String routingKey,
      boolean isTested) {
    if (rows.list(organization, environment, "", MAX).size() >= MAX) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has " + MAX + " integrations, which is the most; delete one.");
    }
    Instant now = now();
    String id = "int-" + identifiers.next();
    byte[] key = secrets.newKey();
    Integration made =
        new Integration(
            id,
            environment,
            definition,
            secrets.seal(organization, id, key),
            null,
            null,
            routingKey == null ? null : secrets.seal(organization, id, routingKey),
            null,
            null,
            0,
            null,
            1,
            now,
            now);
    rows.put(organization, made);
    audit.done(organization, actor, "integration.create", TYPE, id, null, definition);
    if (isTested) {
      var unused = queue.add(organization, made, test(organization, made, now), now);
    }
    return new WithSecret(made, WebhookSignature.text(key));
  }

  /** Replaces the definition. What stopped deliveries is forgotten when it is enabled. */
  public Integration change(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      IntegrationDefinition definition,
      @Nullable String routingKey) {
    return transactions.within(
        organization,
        () -> {
          Integration before = locked(organization, environment, id);
          check(definition, routingKey, before.routingKey() != null);
          expected.check(before.version());
          if (!Objects.requireNonNull(definition.kind()).equals(before.definition().kind())) {
            throw ProblemException.of(
                ErrorCode.INVALID_REQUEST,
                "kind cannot be changed: messages that wait are of the kind before. Create another"
                    + " integration.");
          }
          boolean isEnabled = definition.enabled();
          Integration after =
              new Integration(
                  id,
                  before.environment(),
                  definition,
                  before.secret(),
                  before.oldSecret(),
                  before.oldSecretUntil(),
                  routingKey == null
                      ? before.routingKey()
                      : secrets.seal(organization, id, routingKey),
                  isEnabled ? null : before.disabledReason(),
                  isEnabled ? null : before.failingSince(),
                  isEnabled ? 0 : before.failures(),
                  null,
                  before.version() + 1,
                  before.createdAt(),
                  now());
          rows.put(organization, after);
          if (!Objects.equals(
              definition.heartbeatMinutes(), before.definition().heartbeatMinutes())) {
            rows.setHeartbeat(organization, id, now());
          }
          audit.done(
              organization, actor, "integration.change", TYPE, id, before.definition(), definition);
          return after;
        });
  }

  /** Deletes it, and what was to be delivered. */
  public void delete(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          Integration before = locked(organization, environment, id);
          expected.check(before.version());
          rows.delete(organization, id);
          audit.done(
              organization, actor, "integration.delete", TYPE, id, before.definition(), null);
        });
  }

  /** Puts a new secret beside the old one, which is in use for another day. */
  public WithSecret rotate(TenantId organization, Actor actor, String environment, String id) {
    return transactions.within(
        organization,
        () -> {
          Integration before = locked(organization, environment, id);
          Instant now = now();
          if (before.oldSecretUntil() != null && before.oldSecretUntil().isAfter(now)) {
            throw ProblemException.of(
                ErrorCode.CONFLICT,
                "Two secrets are in use until "
                    + before.oldSecretUntil()
                    + ". Replace the secret again after it.");
          }
          byte[] key = secrets.newKey();
          Integration after =
              new Integration(
                  id,
                  before.environment(),
                  before.definition(),
                  secrets.seal(organization, id, key),
                  before.secret(),
                  now.plus(OVERLAP),
                  before.routingKey(),
                  before.disabledReason(),
                  before.failingSince(),
                  before.failures(),
                  before.pausedUntil(),
                  before.version() + 1,
                  before.createdAt(),
                  now);
          rows.put(organization, after);
          audit.done(organization, actor, "integration.rotate_secret", TYPE, id, null, null);
          return new WithSecret(after, WebhookSignature.text(key));
        });
  }

  /** Sends a test message. */
  public DeliveryLog test(TenantId organization, Actor actor, String environment, String id) {
    return transactions.within(
        organization,
        () -> {
          Integration integration = locked(organization, environment, id);
          Instant now = now();
          String delivery =
              queue.add(organization, integration, test(organization, integration, now), now);
          audit.done(organization, actor, "integration.test", TYPE, id, null, null);
          return log(organization, id, delivery);
        });
  }

  private Message test(TenantId organization, Integration integration, Instant now) {
    return new Message(
        organization,
        integration.environment().value(),
        MessageRenderer.TEST,
        "test-" + identifiers.next(),
        now,
        null);
  }

  /** Deliveries, newest first. */
  public Page<Delivery> deliveries(
      TenantId organization, String environment, String id, PageRequest page) {
    long before = page.after().isEmpty() ? Long.MAX_VALUE : number(page.after());
    return transactions.within(
        organization,
        () -> {
          found(organization, environment, id);
          return Page.of(
              deliveries.list(organization, id, before, page.limit() + 1),
              page,
              delivery -> Long.toString(delivery.number()));
        });
  }

  /** A delivery with its attempts; {@code not_found}. */
  public DeliveryLog delivery(
      TenantId organization, String environment, String id, String delivery) {
    return transactions.within(
        organization,
        () -> {
          found(organization, environment, id);
          return log(organization, id, delivery);
        });
  }

  /** Delivers a message again, under the same identifier, whether it was taken or not. */
  public DeliveryLog resend(
      TenantId organization, Actor actor, String environment, String id, String delivery) {
    return transactions.within(
        organization,
        () -> {
          locked(organization, environment, id);
          DeliveryLog before = log(organization, id, delivery);
          deliveries.again(organization, before.delivery().id(), now());
          audit.done(
              organization, actor, "integration.resend", TYPE, id + "/" + delivery, null, null);
          return log(organization, id, delivery);
        });
  }

  private DeliveryLog log(TenantId organization, String integration, String id) {
    Delivery delivery =
        deliveries
            .find(organization, id)
            .filter(found -> found.integrationId().equals(integration))
            .orElseThrow(
                () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such delivery."));
    return new DeliveryLog(delivery, deliveries.attempts(organization, id, MAX_ATTEMPTS));
  }

  private void check(
      IntegrationDefinition definition, @Nullable String routingKey, boolean hasKey) {
    List<String> faults = new ArrayList<>(definition.faults(addresses, mail.isAvailable()));
    if (routingKey != null
        && (routingKey.isBlank()
            || routingKey.length() > LONGEST_ROUTING_KEY
            || !routingKey.chars().allMatch(c -> c > ' ' && c < 0x7f))) {
      faults.add("routing_key must be 1 to " + LONGEST_ROUTING_KEY + " visible ASCII characters.");
    }
    boolean needsKey =
        "pagerduty".equals(definition.kind()) || "opsgenie".equals(definition.kind());
    if (needsKey && routingKey == null && !hasKey) {
      faults.add("routing_key must be there for " + definition.kind() + ".");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  private Integration found(TenantId organization, String environment, String id) {
    return rows.find(organization, id)
        .filter(integration -> integration.environment().value().equals(environment))
        .orElseThrow(Integrations::unknown);
  }

  private Integration locked(TenantId organization, String environment, String id) {
    return rows.lock(organization, id)
        .filter(integration -> integration.environment().value().equals(environment))
        .orElseThrow(Integrations::unknown);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static long number(String place) {
    try {
      return Long.parseLong(place);
    } catch (NumberFormatException notOurs) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "cursor is not one that this list gave out. Take it from meta.next_cursor, or leave it"
              + " out.");
    }
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such integration.");
  }
}
