package io.tidemark.platform.receipts.web;

import io.tidemark.contracts.controlapi.DeadLettersApi;
import io.tidemark.contracts.controlapi.model.DeadLetter;
import io.tidemark.contracts.controlapi.model.DeadLetterPage;
import io.tidemark.contracts.controlapi.model.DeadLetterSampleForm;
import io.tidemark.contracts.controlapi.model.DeadLetterSummary;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.receipts.DeadLetterDescription;
import io.tidemark.platform.receipts.DeadLetters;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Dead letters of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class DeadLettersController implements DeadLettersApi {

  private static final String TYPE = "dead_letter";

  private final ControlApiGuard guard;
  private final DeadLetters letters;

  DeadLettersController(ControlApiGuard guard, DeadLetters letters) {
    this.guard = guard;
    this.letters = letters;
  }

  @Override
  public ResponseEntity<DeadLetterPage> listDeadLetters(
      String organizationId,
      String environmentId,
      @Nullable String reason,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.CATALOG_READ, "dead_letter.list", TYPE);
    Page<io.tidemark.platform.receipts.DeadLetterSummary> page =
        letters.list(call.organization(), environmentId, reason, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DeadLetterPage(
            page.items().stream().map(DeadLettersController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<DeadLetter> getDeadLetter(
      String organizationId, String environmentId, String deadLetterId) {
    String action = "dead_letter.read";
    guard.enterEnvironment(
        organizationId, environmentId, Permission.CATALOG_READ, action, TYPE, deadLetterId);
    // The sample shows values.
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.METRICS_READ, action, TYPE, deadLetterId);
    return ResponseEntity.ok(shown(letters.get(call.organization(), environmentId, deadLetterId)));
  }

  private static DeadLetterSummary shown(io.tidemark.platform.receipts.DeadLetterSummary letter) {
    return new DeadLetterSummary(
        letter.id().toString(),
        letter.batchId(),
        letter.reason(),
        letter.points(),
        letter.receivedAt().atOffset(ZoneOffset.UTC));
  }

  private static DeadLetter shown(DeadLetterDescription letter) {
    return new DeadLetter(
        letter.id().toString(),
        letter.batchId(),
        letter.reason(),
        letter.stage(),
        letter.detail(),
        letter.points(),
        letter.receivedAt().atOffset(ZoneOffset.UTC),
        letter.originalSize(),
        DeadLetterSampleForm.fromValue(letter.sample().form()),
        letter.sample().text(),
        letter.sample().isCut());
  }
}
