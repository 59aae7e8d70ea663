package io.tidemark.platform.alerting.web;

import io.tidemark.contracts.controlapi.SilencesApi;
import io.tidemark.contracts.controlapi.model.Inhibition;
import io.tidemark.contracts.controlapi.model.InhibitionDraft;
import io.tidemark.contracts.controlapi.model.InhibitionPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.contracts.controlapi.model.Silence;
import io.tidemark.contracts.controlapi.model.SilenceDraft;
import io.tidemark.contracts.controlapi.model.SilencePage;
import io.tidemark.platform.alerting.Inhibitions;
import io.tidemark.platform.alerting.Silences;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.ProcessRole;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Silences and inhibitions of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class SilencesController implements SilencesApi {

  private static final String SILENCE = "silence";
  private static final String INHIBITION = "inhibition";

  private final AlertCalls calls;
  private final Silences silences;
  private final Inhibitions inhibitions;

  SilencesController(AlertCalls calls, Silences silences, Inhibitions inhibitions) {
    this.calls = calls;
    this.silences = silences;
    this.inhibitions = inhibitions;
  }

  @Override
  public ResponseEntity<SilencePage> listSilences(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "silence.list");
    Page<io.tidemark.platform.alerting.Silence> page =
        silences.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new SilencePage(
            page.items().stream().map(this::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Silence> createSilence(
      String organizationId,
      String environmentId,
      SilenceDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call = calls.creates(organizationId, environmentId, "silence.create");
    Created<io.tidemark.platform.alerting.Silence> made =
        silences.create(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            SilencesApiMapping.definition(draft));
    return CreationResponses.created(
            made, organizationId, "environments", environmentId, "silences", made.object().id())
        .eTag(EntityTags.of(made.object().version()))
        .body(shown(made.object()));
  }

  @Override
  public ResponseEntity<Silence> getSilence(
      String organizationId, String environmentId, String silenceId) {
    ControlApiCall call =
        calls.reads(organizationId, environmentId, "silence.read", SILENCE, silenceId);
    return answer(silences.get(call.organization(), environmentId, silenceId));
  }

  @Override
  public ResponseEntity<Silence> changeSilence(
      String organizationId,
      String environmentId,
      String silenceId,
      SilenceDraft draft,
      @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "silence.change", SILENCE, silenceId);
    return answer(
        silences.change(
            call.organization(),
            call.actor(),
            environmentId,
            silenceId,
            EntityTags.required(ifMatch),
            SilencesApiMapping.definition(draft)));
  }

  @Override
  public ResponseEntity<Void> deleteSilence(
      String organizationId, String environmentId, String silenceId, @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "silence.delete", SILENCE, silenceId);
    silences.delete(
        call.organization(), call.actor(), environmentId, silenceId, EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<InhibitionPage> listInhibitions(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = calls.lists(organizationId, environmentId, "inhibition.list");
    Page<io.tidemark.platform.alerting.Inhibition> page =
        inhibitions.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new InhibitionPage(
            page.items().stream().map(SilencesApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Inhibition> createInhibition(
      String organizationId,
      String environmentId,
      InhibitionDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call = calls.creates(organizationId, environmentId, "inhibition.create");
    Created<io.tidemark.platform.alerting.Inhibition> made =
        inhibitions.create(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            SilencesApiMapping.definition(draft));
    return CreationResponses.created(
            made, organizationId, "environments", environmentId, "inhibitions", made.object().id())
        .eTag(EntityTags.of(made.object().version()))
        .body(SilencesApiMapping.shown(made.object()));
  }

  @Override
  public ResponseEntity<Inhibition> getInhibition(
      String organizationId, String environmentId, String inhibitionId) {
    ControlApiCall call =
        calls.reads(organizationId, environmentId, "inhibition.read", INHIBITION, inhibitionId);
    return answer(inhibitions.get(call.organization(), environmentId, inhibitionId));
  }

  @Override
  public ResponseEntity<Inhibition> changeInhibition(
      String organizationId,
      String environmentId,
      String inhibitionId,
      InhibitionDraft draft,
      @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "inhibition.change", INHIBITION, inhibitionId);
    return answer(
        inhibitions.change(
            call.organization(),
            call.actor(),
            environmentId,
            inhibitionId,
            EntityTags.required(ifMatch),
            SilencesApiMapping.definition(draft)));
  }

  @Override
  public ResponseEntity<Void> deleteInhibition(
      String organizationId, String environmentId, String inhibitionId, @Nullable String ifMatch) {
    ControlApiCall call =
        calls.writes(organizationId, environmentId, "inhibition.delete", INHIBITION, inhibitionId);
    inhibitions.delete(
        call.organization(),
        call.actor(),
        environmentId,
        inhibitionId,
        EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  private Silence shown(io.tidemark.platform.alerting.Silence silence) {
    return SilencesApiMapping.shown(silence, silences.state(silence));
  }

  private ResponseEntity<Silence> answer(io.tidemark.platform.alerting.Silence silence) {
    return ResponseEntity.ok().eTag(EntityTags.of(silence.version())).body(shown(silence));
  }

  private static ResponseEntity<Inhibition> answer(
      io.tidemark.platform.alerting.Inhibition inhibition) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(inhibition.version()))
        .body(SilencesApiMapping.shown(inhibition));
  }
}
