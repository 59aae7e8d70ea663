package io.tidemark.platform.retention.web;

import io.tidemark.contracts.controlapi.RetentionApi;
import io.tidemark.contracts.controlapi.model.MetricRetention;
import io.tidemark.contracts.controlapi.model.Retention;
import io.tidemark.contracts.controlapi.model.RetentionDraft;
import io.tidemark.contracts.controlapi.model.RetentionEffect;
import io.tidemark.contracts.controlapi.model.RetentionEffectOnLevel;
import io.tidemark.contracts.controlapi.model.RetentionLevel;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.retention.EnvironmentRetention;
import io.tidemark.platform.retention.Retention.Effect;
import io.tidemark.platform.retention.RetentionDays;
import io.tidemark.platform.retention.RetentionPolicy;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Retention of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class RetentionController implements RetentionApi {

  private final ControlApiGuard guard;
  private final io.tidemark.platform.retention.Retention retention;

  RetentionController(ControlApiGuard guard, io.tidemark.platform.retention.Retention retention) {
    this.guard = guard;
    this.retention = retention;
  }

  private ControlApiCall enter(
      String organization, Permission needed, String action, String environment) {
    return guard.enterEnvironment(organization, environment, needed, action, "environment");
  }

  @Override
  public ResponseEntity<Retention> getRetention(String organizationId, String environmentId) {
    ControlApiCall call =
        enter(organizationId, Permission.RETENTION_READ, "retention.read", environmentId);
    return answer(retention.get(call.organization(), environmentId));
  }

  @Override
  public ResponseEntity<Retention> changeRetention(
      String organizationId, String environmentId, RetentionDraft draft, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.RETENTION_WRITE, "retention.change", environmentId);
    return answer(
        retention.change(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.required(ifMatch),
            policy(draft)));
  }

  @Override
  public ResponseEntity<RetentionEffect> previewRetention(
      String organizationId, String environmentId, RetentionDraft draft) {
    ControlApiCall call =
        enter(organizationId, Permission.RETENTION_READ, "retention.preview", environmentId);
    List<Effect> effects = retention.preview(call.organization(), environmentId, policy(draft));
    return ResponseEntity.ok(
        new RetentionEffect(effects.stream().map(RetentionController::shown).toList()));
  }

  private static RetentionEffectOnLevel shown(Effect effect) {
    RetentionEffectOnLevel shown =
        new RetentionEffectOnLevel(RetentionLevel.fromValue(effect.level().wireName()))
            .keptSince(utc(effect.keptSince()));
    return effect.removed() == null
        ? shown
        : shown.rows(effect.removed().rows()).oldest(utc(effect.removed().oldest()));
  }

  private static RetentionPolicy policy(RetentionDraft draft) {
    List<MetricRetention> metrics = draft.getMetrics() == null ? List.of() : draft.getMetrics();
    return new RetentionPolicy(
        new RetentionDays(
            draft.getRawDays(),
            draft.getRollup1mDays(),
            draft.getRollup1hDays(),
            draft.getRollup1dDays()),
        metrics.stream()
            .filter(Objects::nonNull)
            .map(
                metric ->
                    new RetentionPolicy.OfMetrics(
                        metric.getPattern() == null ? "" : metric.getPattern(),
                        new RetentionDays(
                            metric.getRawDays(),
                            metric.getRollup1mDays(),
                            metric.getRollup1hDays(),
                            metric.getRollup1dDays())))
            .toList());
  }

  private static RetentionDraft draft(RetentionPolicy policy) {
    RetentionDays kept = policy.environment();
    return new RetentionDraft()
        .rawDays(kept.raw())
        .rollup1mDays(kept.minutes())
        .rollup1hDays(kept.hours())
        .rollup1dDays(kept.days())
        .metrics(
            policy.metrics().stream()
                .map(
                    exception ->
                        new MetricRetention(exception.pattern())
                            .rawDays(exception.kept().raw())
                            .rollup1mDays(exception.kept().minutes())
                            .rollup1hDays(exception.kept().hours())
                            .rollup1dDays(exception.kept().days()))
                .toList());
  }

  private static ResponseEntity<Retention> answer(EnvironmentRetention retention) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(retention.version()))
        .body(
            new Retention(draft(retention.policy()))
                .updatedAt(utc(retention.updatedAt()))
                .latePointsFrom(utc(retention.from())));
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
