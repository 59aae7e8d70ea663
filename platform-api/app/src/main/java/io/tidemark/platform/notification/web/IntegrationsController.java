package io.tidemark.platform.notification.web;

import io.tidemark.contracts.controlapi.IntegrationsApi;
import io.tidemark.contracts.controlapi.model.AlertSeverity;
import io.tidemark.contracts.controlapi.model.CreatedIntegration;
import io.tidemark.contracts.controlapi.model.Delivery;
import io.tidemark.contracts.controlapi.model.DeliveryAttempt;
import io.tidemark.contracts.controlapi.model.DeliveryPage;
import io.tidemark.contracts.controlapi.model.DeliveryRequest;
import io.tidemark.contracts.controlapi.model.DeliveryState;
import io.tidemark.contracts.controlapi.model.Integration;
import io.tidemark.contracts.controlapi.model.IntegrationDraft;
import io.tidemark.contracts.controlapi.model.IntegrationKind;
import io.tidemark.contracts.controlapi.model.IntegrationPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.notification.IntegrationDefinition;
import io.tidemark.platform.notification.Integrations;
import io.tidemark.platform.notification.Integrations.DeliveryLog;
import io.tidemark.platform.notification.Integrations.WithSecret;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Integrations and deliveries of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class IntegrationsController implements IntegrationsApi {

  private static final String TYPE = "integration";

  private final ControlApiGuard guard;
  private final Integrations integrations;

  IntegrationsController(ControlApiGuard guard, Integrations integrations) {
    this.guard = guard;
    this.integrations = integrations;
  }

  private ControlApiCall reads(String organization, String environment, String action, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.INTEGRATIONS_READ, action, TYPE, id);
  }

  private ControlApiCall writes(String organization, String environment, String action, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.INTEGRATIONS_WRITE, action, TYPE, id);
  }

  @Override
  public ResponseEntity<IntegrationPage> listIntegrations(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = reads(organizationId, environmentId, "integration.list", environmentId);
    Page<io.tidemark.platform.notification.Integration> page =
        integrations.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new IntegrationPage(
            page.items().stream().map(IntegrationsController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<CreatedIntegration> createIntegration(
      String organizationId,
      String environmentId,
      IntegrationDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call =
        writes(organizationId, environmentId, "integration.create", environmentId);
    Created<WithSecret> made =
        integrations.create(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            definition(draft),
            draft.getRoutingKey(),
            draft.getSendTest() == null || draft.getSendTest());
    return CreationResponses.created(
            made,
            organizationId,
            "environments",
            environmentId,
            "integrations",
            made.object().integration().id())
        .eTag(EntityTags.of(made.object().integration().version()))
        .body(shown(made.object()));
  }

  @Override
  public ResponseEntity<Integration> getIntegration(
      String organizationId, String environmentId, String integrationId) {
    ControlApiCall call = reads(organizationId, environmentId, "integration.read", integrationId);
    return answer(integrations.get(call.organization(), environmentId, integrationId));
  }

  @Override
  public ResponseEntity<Integration> changeIntegration(
      String organizationId,
      String environmentId,
      String integrationId,
      IntegrationDraft draft,
      @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "integration.change", integrationId);
    return answer(
        integrations.change(
            call.organization(),
            call.actor(),
            environmentId,
            integrationId,
            EntityTags.required(ifMatch),
            definition(draft),
            draft.getRoutingKey()));
  }

  @Override
  public ResponseEntity<Void> deleteIntegration(
      String organizationId, String environmentId, String integrationId, @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "integration.delete", integrationId);
    integrations.delete(
        call.organization(),
        call.actor(),
        environmentId,
        integrationId,
        EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<CreatedIntegration> rotateIntegrationSecret(
      String organizationId, String environmentId, String integrationId) {
    ControlApiCall call =
        writes(organizationId, environmentId, "integration.rotate_secret", integrationId);
    WithSecret rotated =
        integrations.rotate(call.organization(), call.actor(), environmentId, integrationId);
    return ResponseEntity.ok()
        .eTag(EntityTags.of(rotated.integration().version()))
        .body(shown(rotated));
  }

  @Override
  public ResponseEntity<Delivery> testIntegration(
      String organizationId, String environmentId, String integrationId) {
    ControlApiCall call = writes(organizationId, environmentId, "integration.test", integrationId);
    return ResponseEntity.accepted()
        .body(
            shown(
                integrations.test(
                    call.organization(), call.actor(), environmentId, integrationId)));
  }

  @Override
  public ResponseEntity<DeliveryPage> listDeliveries(
      String organizationId,
      String environmentId,
      String integrationId,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call = reads(organizationId, environmentId, "delivery.list", integrationId);
    Page<io.tidemark.platform.notification.Delivery> page =
        integrations.deliveries(
            call.organization(), environmentId, integrationId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DeliveryPage(
            page.items().stream().map(delivery -> shown(delivery, List.of())).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Delivery> getDelivery(
      String organizationId, String environmentId, String integrationId, String deliveryId) {
    ControlApiCall call = reads(organizationId, environmentId, "delivery.read", integrationId);
    return ResponseEntity.ok(
        shown(
            integrations.delivery(call.organization(), environmentId, integrationId, deliveryId)));
  }

  @Override
  public ResponseEntity<Delivery> resendDelivery(
      String organizationId, String environmentId, String integrationId, String deliveryId) {
    ControlApiCall call =
        writes(organizationId, environmentId, "integration.resend", integrationId);
    return ResponseEntity.accepted()
        .body(
            shown(
                integrations.resend(
                    call.organization(), call.actor(), environmentId, integrationId, deliveryId)));
  }

  private static IntegrationDefinition definition(IntegrationDraft draft) {
    return new IntegrationDefinition(
        draft.getName(),
        draft.getKind() == null ? null : draft.getKind().getValue(),
        draft.getUrl(),
        draft.getEnabled() == null || draft.getEnabled(),
        draft.getSeverities() == null
            ? List.of()
            : draft.getSeverities().stream()
                .filter(Objects::nonNull)
                .map(AlertSeverity::getValue)
                .toList(),
        draft.getLabels() == null ? Map.of() : draft.getLabels(),
        draft.getHeartbeatMinutes());
  }

  private static ResponseEntity<Integration> answer(
      io.tidemark.platform.notification.Integration integration) {
    return ResponseEntity.ok().eTag(EntityTags.of(integration.version())).body(shown(integration));
  }

  private static CreatedIntegration shown(WithSecret made) {
    return new CreatedIntegration(shown(made.integration())).secret(made.secret());
  }

  private static Integration shown(io.tidemark.platform.notification.Integration integration) {
    IntegrationDefinition definition = integration.definition();
    return new Integration(
            integration.id(),
            definition.name(),
            IntegrationKind.fromValue(definition.kind()),
            definition.url(),
            definition.enabled(),
            definition.severities().stream().map(AlertSeverity::fromValue).toList(),
            definition.labels(),
            integration.version(),
            utc(integration.createdAt()),
            utc(integration.updatedAt()))
        .heartbeatMinutes(definition.heartbeatMinutes())
        .disabledReason(integration.disabledReason())
        .oldSecretUntil(utc(integration.oldSecretUntil()))
        .failingSince(utc(integration.failingSince()));
  }

  private static Delivery shown(DeliveryLog log) {
    return shown(log.delivery(), log.attempts()).body(log.delivery().body());
  }

  private static Delivery shown(
      io.tidemark.platform.notification.Delivery delivery,
      List<io.tidemark.platform.notification.DeliveryAttempt> attempts) {
    boolean isWaiting = delivery.state().equals("waiting");
    return new Delivery(
            delivery.id(),
            delivery.messageId(),
            delivery.type(),
            DeliveryState.fromValue(delivery.state()),
            utc(delivery.createdAt()),
            attempts.stream().map(IntegrationsController::shown).toList())
        .incidentId(delivery.incidentId())
        .transitionId(delivery.transitionId())
        .nextAttemptAt(isWaiting ? utc(delivery.nextAttemptAt()) : null)
        .deliveredAt(delivery.state().equals("delivered") ? utc(delivery.endedAt()) : null)
        .attemptCount(delivery.attemptCount());
  }

  private static DeliveryAttempt shown(io.tidemark.platform.notification.DeliveryAttempt attempt) {
    return new DeliveryAttempt(utc(attempt.at()), attempt.durationMs())
        .request(shown(attempt.request()))
        .status(attempt.status())
        .error(attempt.error())
        .answer(attempt.answer());
  }

  private static @Nullable DeliveryRequest shown(
      io.tidemark.platform.notification.@Nullable SentRequest request) {
    return request == null ? null : new DeliveryRequest(request.url(), request.headers());
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
