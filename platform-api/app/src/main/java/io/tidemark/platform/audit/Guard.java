package io.tidemark.platform.audit;

import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CallerOfRequest;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import jakarta.servlet.http.HttpServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Stands before every operation of the control API. What it refuses is written to the log of the
 * caller's organisation, also an attempt at another organisation: the log of the other one must not
 * be the caller's to fill.
 */
@Component
public class Guard {

  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

  private final CallerOfRequest callers;
  private final HttpServletRequest request;
  private final AuditLog log;

  Guard(CallerOfRequest callers, HttpServletRequest request, AuditLog log) {
    this.callers = callers;
    this.request = request;
    this.log = log;
  }

  /** The call of the current request, for operations that need no permission. */
  public Call enter() {
    Caller caller = callers.current();
    return new Call(caller, new Actor("api_key", caller.keyId(), request.getRemoteAddr()));
  }

  /**
   * Lets a call in.
   *
   * @param organization as the path names it
   * @param action what is attempted, as in {@code environment.archive}
   * @param objectId of the object concerned, or of what contains it
   * @throws ProblemException {@code not_found} when the organisation is not the caller's, whether
   *     it exists or not; {@code forbidden} when the caller lacks the permission
   */
  public Call enter(
      String organization, Permission needed, String action, String objectType, String objectId) {
    Call call = enter();
    if (!call.organization().value().equals(organization)) {
      String attempted = TenantId.isWellFormed(organization) ? organization : "(malformed)";
      throw refuse(
          call,
          action,
          "organization",
          attempted,
          ProblemException.of(
              ErrorCode.NOT_FOUND, "There is no such organisation, or it is not the caller's."));
    }
    try {
      call.caller().require(needed);
    } catch (ProblemException lacking) {
      throw refuse(call, action, objectType, objectId, lacking);
    }
    return call;
  }

  /** Writes down that an attempt is refused; the caller throws what this returns. */
  public ProblemException refuse(
      Call call, String action, String objectType, String objectId, ProblemException problem) {
    try {
      log.refused(
          call.organization(), call.actor(), action, objectType, shown(objectId), problem.code());
    } catch (RuntimeException failure) {
      // Refused all the same; that it could not be written down must not be lost.
      LOG.error(
          "A refusal is not in the audit log: {} {} {} by {}",
          action,
          objectType,
          shown(objectId),
          call.actor(),
          failure);
    }
    return problem;
  }

  /** Identifiers come from the path: PostgreSQL takes no null character, logs no line breaks. */
  private static String shown(String objectId) {
    String plain = objectId.replaceAll("\\p{Cntrl}", "?");
    return plain.substring(0, Math.min(plain.length(), 128));
  }
}
