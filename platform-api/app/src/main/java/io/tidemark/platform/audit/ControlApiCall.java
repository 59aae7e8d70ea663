package io.tidemark.platform.audit;

import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.TenantId;

/** A call of the control API that the guard has let in. */
public record ControlApiCall(Caller caller, Actor actor) {

  /** Whose objects the call may see: the caller's own organisation. */
  public TenantId organization() {
    return caller.organization();
  }
}
