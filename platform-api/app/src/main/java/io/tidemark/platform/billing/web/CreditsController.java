package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.CreditsApi;
import io.tidemark.contracts.controlapi.model.CreditDraft;
import io.tidemark.contracts.controlapi.model.CreditList;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.Credits;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Credits of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class CreditsController implements CreditsApi {

  private static final String TYPE = "credit";

  private final ControlApiGuard guard;
  private final PlatformOperator operator;
  private final Credits credits;

  CreditsController(ControlApiGuard guard, PlatformOperator operator, Credits credits) {
    this.guard = guard;
    this.operator = operator;
    this.credits = credits;
  }

  @Override
  public ResponseEntity<CreditList> listCredits(String organizationId) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_READ, "credits.list", TYPE, organizationId);
    return ResponseEntity.ok(
        new CreditList(
            credits.list(call.organization()).stream().map(CreditsController::shown).toList()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Credit> grantCredit(
      String organizationId, CreditDraft draft, @Nullable String idempotencyKey) {
    String action = "credit.grant";
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_WRITE, action, TYPE, organizationId);
    operator.require(
        call, action, TYPE, "Credits can only be granted by who runs Tidemark. Ask them for one.");
    Created<Credits.Account> granted =
        credits.grant(call.organization(), call.actor(), idempotencyKey, credit(draft));
    return CreationResponses.replayed(ResponseEntity.status(HttpStatus.CREATED), granted)
        .body(shown(granted.object()));
  }

  private static Credit credit(CreditDraft draft) {
    List<String> faults = new ArrayList<>();
    BigDecimal amount = DecimalFields.read("amount", draft.getAmount(), faults);
    if (draft.getKind() == null) {
      faults.add("kind must be promotional or prepaid.");
    }
    if (draft.getValidFrom() == null) {
      faults.add("valid_from must be a day such as 2026-11-01.");
    }
    for (String text : new String[] {draft.getCurrency(), draft.getDescription()}) {
      if (text == null || text.indexOf('\0') >= 0) {
        faults.add("currency and description must be there, without a null character.");
      }
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return new Credit(
        "",
        Credit.Kind.valueOf(draft.getKind().name()),
        amount,
        draft.getCurrency(),
        draft.getDescription(),
        draft.getValidFrom(),
        draft.getValidUntil());
  }

  private static io.tidemark.contracts.controlapi.model.Credit shown(Credits.Account account) {
    Credit credit = account.credit();
    return new io.tidemark.contracts.controlapi.model.Credit(
            credit.id(),
            io.tidemark.contracts.controlapi.model.Credit.KindEnum.fromValue(
                credit.kind().name().toLowerCase(Locale.ROOT)),
            plain(credit.amount()),
            credit.currency(),
            credit.description(),
            credit.validFrom(),
            account.grantedAt().atOffset(ZoneOffset.UTC),
            plain(account.used()),
            plain(account.remaining()))
        .validUntil(credit.validUntil());
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
