package io.tidemark.platform.alerting.web;

import io.tidemark.contracts.controlapi.AlertsApi;
import io.tidemark.contracts.controlapi.model.AlertPack;
import io.tidemark.contracts.controlapi.model.AlertPackList;
import io.tidemark.contracts.controlapi.model.AlertPreview;
import io.tidemark.contracts.controlapi.model.AlertPreviewDraft;
import io.tidemark.contracts.controlapi.model.AlertRule;
import io.tidemark.contracts.controlapi.model.AlertRuleDraft;
import io.tidemark.contracts.controlapi.model.AlertRulePage;
import io.tidemark.contracts.controlapi.model.AlertTransitionPage;
import io.tidemark.contracts.controlapi.model.Incident;
import io.tidemark.contracts.controlapi.model.IncidentAssignment;
import io.tidemark.contracts.controlapi.model.IncidentComment;
import io.tidemark.contracts.controlapi.model.IncidentPage;
import io.tidemark.contracts.controlapi.model.IncidentState;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.alerting.AlertPacks;
import io.tidemark.platform.alerting.AlertRules;
import io.tidemark.platform.alerting.AlertTransitions;
import io.tidemark.platform.alerting.Incidents;
import io.tidemark.platform.alerting.RecordedTransition;
import io.tidemark.platform.alerting.backtest.AlertBacktests;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.beans.PropertyEditorSupport;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Alert rules and incidents of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class AlertsController implements AlertsApi {

  private static final String RULE = "alert_rule";
  private static final String PACK = "alert_pack";
  private static final String INCIDENT = "incident";

  private final ControlApiGuard guard;
  private final AlertCalls calls;
  private final AlertRules rules;
  private final AlertPacks packs;
  private final AlertTransitions transitions;
  private final AlertBacktests backtests;
  private final JsonMapper json;
  private final Incidents incidents;

  AlertsController(
      ControlApiGuard guard,
      AlertCalls calls,
      AlertRules rules,
      AlertPacks packs,
      AlertTransitions transitions,
      AlertBacktests backtests,
      Incidents incidents,
      JsonMapper json) {
    this.guard = guard;
    this.calls = calls;
    this.transitions = transitions;
    this.backtests = backtests;
    this.json = json;
    this.rules = rules;
    this.packs = packs;
    this.incidents = incidents;
  }

  /** States in queries are written as in answers. */
  @InitBinder
  void readStates(WebDataBinder binder) {
    binder.registerCustomEditor(
        IncidentState.class,
        new PropertyEditorSupport() {
          @Override
          public void setAsText(String text) {
            setValue(IncidentState.fromValue(text));
          }
        });
  }

  @Override
  public ResponseEntity<AlertRulePage> listAlertRules(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "alert_rule.list");
    Page<io.tidemark.platform.alerting.AlertRule> page =
        rules.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new AlertRulePage(
            page.items().stream().map(rule -> shown(call.organization(), rule)).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<AlertRule> createAlertRule(
      String organizationId,
      String environmentId,
      AlertRuleDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call = calls.creates(organizationId, environmentId, "alert_rule.create");
    Created<io.tidemark.platform.alerting.AlertRule> made =
        rules.create(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            AlertsApiMapping.definition(draft));
    return CreationResponses.created(
            made, organizationId, "environments", environmentId, "alert-rules", made.object().id())
        .eTag(EntityTags.of(made.object().version()))
        .body(shown(call.organization(), made.object()));
  }

  @Override
  public ResponseEntity<AlertPreview> previewAlertRule(
      String organizationId, String environmentId, AlertPreviewDraft draft) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId,
            environmentId,
            Permission.METRICS_READ,
            "alert_rule.preview",
            "environment",
            environmentId);
    return ResponseEntity.ok(
        AlertPreviewMapping.shown(
            backtests.run(
                call.organization(),
                environmentId,
                draft.getCondition() == null
                    ? null
                    : AlertsApiMapping.condition(draft.getCondition()),
                draft.getDays() == null ? 1 : draft.getDays())));
  }

  @Override
  public ResponseEntity<AlertRule> getAlertRule(
      String organizationId, String environmentId, String alertRuleId) {
    ControlApiCall call =
        calls.reads(organizationId, environmentId, "alert_rule.read", RULE, alertRuleId);
    return answer(call.organization(), rules.get(call.organization(), environmentId, alertRuleId));
  }

  @Override
  public ResponseEntity<AlertRule> changeAlertRule(
      String organizationId,
      String environmentId,
      String alertRuleId,
      AlertRuleDraft draft,
      @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "alert_rule.change", RULE, alertRuleId);
    return answer(
        call.organization(),
        rules.change(
            call.organization(),
            call.actor(),
            environmentId,
            alertRuleId,
            EntityTags.required(ifMatch),
            AlertsApiMapping.definition(draft)));
  }

  @Override
  public ResponseEntity<Void> deleteAlertRule(
      String organizationId, String environmentId, String alertRuleId, @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "alert_rule.delete", RULE, alertRuleId);
    rules.delete(
        call.organization(),
        call.actor(),
        environmentId,
        alertRuleId,
        EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<AlertPackList> listAlertPacks(String organizationId, String environmentId) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "alert_pack.list");
    return ResponseEntity.ok(
        new AlertPackList(
            packs.list(call.organization(), environmentId).stream()
                .map(AlertPacksApiMapping::shown)
                .toList()));
  }

  @Override
  public ResponseEntity<AlertPack> getAlertPack(
      String organizationId, String environmentId, String alertPackId) {
    ControlApiCall call =
        calls.reads(organizationId, environmentId, "alert_pack.read", PACK, alertPackId);
    return ResponseEntity.ok(
        AlertPacksApiMapping.shown(packs.get(call.organization(), environmentId, alertPackId)));
  }

  @Override
  public ResponseEntity<AlertPack> enableAlertPack(
      String organizationId, String environmentId, String alertPackId) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "alert_pack.enable", PACK, alertPackId);
    return ResponseEntity.ok(
        AlertPacksApiMapping.shown(
            packs.enable(call.organization(), call.actor(), environmentId, alertPackId)));
  }

  @Override
  public ResponseEntity<Void> disableAlertPack(
      String organizationId, String environmentId, String alertPackId) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "alert_pack.disable", PACK, alertPackId);
    packs.disable(call.organization(), call.actor(), environmentId, alertPackId);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<AlertTransitionPage> listAlertTransitions(
      String organizationId,
      String environmentId,
      @Nullable String ruleId,
      @Nullable OffsetDateTime since,
      @Nullable Integer waitSeconds,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "alert_transition.list");
    Page<RecordedTransition> page =
        transitions.follow(
            call.organization(),
            environmentId,
            ruleId,
            since == null ? null : since.toInstant(),
            Duration.ofSeconds(waitSeconds == null ? 0 : waitSeconds),
            Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new AlertTransitionPage(
            page.items().stream().map(AlertsApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Resource> exportIncidents(
      String organizationId,
      String environmentId,
      @Nullable IncidentState state,
      @Nullable String ruleId) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "incident.export");
    TenantId organization = call.organization();
    // Refused before the answer begins.
    var unused = page(organization, environmentId, state, ruleId, "");
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_NDJSON)
        .body(
            new InputStreamResource(
                new IncidentExport<>(
                    after -> page(organization, environmentId, state, ruleId, after),
                    incident ->
                        json.writeValueAsString(
                            AlertsApiMapping.shown(
                                incident, incidents.timeline(organization, incident.id()))))));
  }

  private Page<io.tidemark.platform.alerting.Incident> page(
      TenantId organization,
      String environment,
      @Nullable IncidentState state,
      @Nullable String rule,
      String after) {
    return incidents.list(
        organization,
        environment,
        state == null ? null : state.getValue(),
        rule,
        new PageRequest(PageRequest.USUAL, after));
  }

  @Override
  public ResponseEntity<IncidentPage> listIncidents(
      String organizationId,
      String environmentId,
      @Nullable IncidentState state,
      @Nullable String ruleId,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "incident.list");
    Page<io.tidemark.platform.alerting.Incident> page =
        incidents.list(
            call.organization(),
            environmentId,
            state == null ? null : state.getValue(),
            ruleId,
            Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new IncidentPage(
            page.items().stream()
                .map(incident -> AlertsApiMapping.shown(incident, List.of()))
                .toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Incident> getIncident(
      String organizationId, String environmentId, String incidentId) {
    ControlApiCall call =
        calls.reads(organizationId, environmentId, "incident.read", INCIDENT, incidentId);
    return answer(
        call.organization(), incidents.get(call.organization(), environmentId, incidentId));
  }

  @Override
  public ResponseEntity<Incident> acknowledgeIncident(
      String organizationId, String environmentId, String incidentId, @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "incident.acknowledge", INCIDENT, incidentId);
    return answer(
        call.organization(),
        incidents.acknowledge(
            call.organization(),
            call.actor(),
            environmentId,
            incidentId,
            EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<Incident> commentIncident(
      String organizationId, String environmentId, String incidentId, IncidentComment comment) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "incident.comment", INCIDENT, incidentId);
    return answer(
        call.organization(),
        incidents.comment(
            call.organization(), call.actor(), environmentId, incidentId, comment.getText()));
  }

  @Override
  public ResponseEntity<Incident> assignIncident(
      String organizationId,
      String environmentId,
      String incidentId,
      IncidentAssignment assignment,
      @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "incident.assign", INCIDENT, incidentId);
    return answer(
        call.organization(),
        incidents.assign(
            call.organization(),
            call.actor(),
            environmentId,
            incidentId,
            EntityTags.expected(ifMatch),
            assignment.getTo()));
  }

  private AlertRule shown(TenantId organization, io.tidemark.platform.alerting.AlertRule rule) {
    return AlertsApiMapping.shown(
        rule,
        rules.groups(organization, rule.id()),
        rules.evaluation(organization, rule).orElse(null));
  }

  private ResponseEntity<AlertRule> answer(
      TenantId organization, io.tidemark.platform.alerting.AlertRule rule) {
    return ResponseEntity.ok().eTag(EntityTags.of(rule.version())).body(shown(organization, rule));
  }

  private ResponseEntity<Incident> answer(
      TenantId organization, io.tidemark.platform.alerting.Incident incident) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(incident.version()))
        .body(AlertsApiMapping.shown(incident, incidents.timeline(organization, incident.id())));
  }
}
