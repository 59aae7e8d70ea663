package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.CallersApi;
import io.tidemark.contracts.controlapi.model.CallerDescription;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CallerOfRequest;
import io.tidemark.platform.shared.Permission;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Tells callers who they are. */
@RestController
class CallersController implements CallersApi {

  private final CallerOfRequest callers;

  CallersController(CallerOfRequest callers) {
    this.callers = callers;
  }

  @Override
  public ResponseEntity<CallerDescription> getCaller() {
    Caller caller = callers.current();
    return ResponseEntity.ok(
        new CallerDescription(
            caller.organization().value(),
            caller.environment().value(),
            caller.keyId(),
            caller.permissions().stream().map(Permission::wireName).sorted().toList()));
  }
}
