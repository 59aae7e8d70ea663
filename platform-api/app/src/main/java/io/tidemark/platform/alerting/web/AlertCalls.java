package io.tidemark.platform.alerting.web;

import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import org.springframework.stereotype.Component;

/** Calls about alerts of an environment, let in by the permissions of alerts. */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class AlertCalls {

  private final ControlApiGuard guard;

  AlertCalls(ControlApiGuard guard) {
    this.guard = guard;
  }

  /** A call that looks at an object. */
  ControlApiCall reads(
      String organization, String environment, String action, String type, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.ALERTS_READ, action, type, id);
  }

  /** A call about the environment as a whole. */
  ControlApiCall lists(String organization, String environment, String action) {
    return reads(organization, environment, action, "environment", environment);
  }

  /** A call that changes an object. */
  ControlApiCall writes(
      String organization, String environment, String action, String type, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.ALERTS_WRITE, action, type, id);
  }

  /** A call that makes an object. */
  ControlApiCall creates(String organization, String environment, String action) {
    return writes(organization, environment, action, "environment", environment);
  }
}
