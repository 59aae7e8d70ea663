package io.tidemark.platform.billing.web;

import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import org.springframework.stereotype.Component;

/** Tells who runs Tidemark from its tenants: they write billing of the platform's organisation. */
@Component
class PlatformOperator {

  private final CurrentCaller callers;
  private final ControlApiGuard guard;

  PlatformOperator(CurrentCaller callers, ControlApiGuard guard) {
    this.callers = callers;
    this.guard = guard;
  }

  /**
   * Refuses a tenant.
   *
   * @param detail what was wrong and what to do next
   * @throws ProblemException {@code forbidden}
   */
  void require(ControlApiCall call, String action, String type, String detail) {
    boolean isOperator =
        callers
            .in(TenantId.PLATFORM.value())
            .map(caller -> caller.permissions().contains(Permission.BILLING_WRITE))
            .orElse(false);
    if (!isOperator) {
      throw guard.refuse(
          call,
          action,
          type,
          call.organization().value(),
          ProblemException.of(ErrorCode.FORBIDDEN, detail));
    }
  }
}
