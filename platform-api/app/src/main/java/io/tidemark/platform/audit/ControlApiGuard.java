package io.tidemark.platform.audit;

import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.CurrentCaller.Identity;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Stands before every operation of the control API. What it refuses is written down: in the log of
 * the organisation when the caller belongs to it, else in that of the caller's own, for people the
 * platform's. The log of somebody else's organisation must not be the caller's to fill.
 */
@Component
public class ControlApiGuard {

  private static final Logger LOG = LoggerFactory.getLogger(ControlApiGuard.class);

  private final CurrentCaller callers;
  private final HttpServletRequest request;
  private final AuditLog log;

  ControlApiGuard(CurrentCaller callers, HttpServletRequest request, AuditLog log) {
    this.callers = callers;
    this.request = request;
    this.log = log;
  }

  /** Who calls, for operations that need no permission. */
  public Identity identity() {
    return callers.identity();
  }

  /** The organisations that the caller belongs to, by identifier. */
  public List<TenantId> organizations() {
    return callers.organizations();
  }

  /** Whether the caller has a permission in the whole of an organisation. */
  public boolean has(TenantId organization, Permission permission) {
    return callers
        .in(organization.value())
        .filter(caller -> caller.permissions().contains(permission))
        .isPresent();
  }

  /** The same as an actor of the audit log. */
  public Actor actor() {
    Identity identity = callers.identity();
    return new Actor(identity.kind(), identity.id(), request.getRemoteAddr());
  }

  /**
   * Lets a person in, whatever the organisation.
   *
   * @throws ProblemException {@code forbidden} for a key
   */
  public Actor enterAsPerson(String action, String objectType) {
    Identity identity = callers.identity();
    if (!identity.isPerson()) {
      throw refuse(
          identity.log(),
          action,
          objectType,
          identity.id(),
          ProblemException.of(
              ErrorCode.FORBIDDEN,
              "This is for people who have signed in, not for keys. Sign in with a browser."));
    }
    return actor();
  }

  /**
   * Lets a call in that needs the permission in the whole organisation.
   *
   * @param organization as the path names it
   * @param action what is attempted, as in {@code environment.archive}
   * @param objectId of the object concerned, or of what contains it
   * @throws ProblemException {@code not_found} when the organisation is not the caller's, whether
   *     it exists or not; {@code forbidden} when the caller lacks the permission
   */
  public ControlApiCall enter(
      String organization, Permission needed, String action, String objectType, String objectId) {
    return enter(organization, action, objectType, objectId, caller -> caller.require(needed));
  }

  /** As above, for a call about one environment: a permission in that environment is enough. */
  public ControlApiCall enterEnvironment(
      String organization,
      String environment,
      Permission needed,
      String action,
      String objectType) {
    return enterEnvironment(organization, environment, needed, action, objectType, environment);
  }

  /** As above, for a call about an object of the environment. */
  public ControlApiCall enterEnvironment(
      String organization,
      String environment,
      Permission needed,
      String action,
      String objectType,
      String objectId) {
    return enter(
        organization,
        action,
        objectType,
        objectId,
        caller -> caller.requireIn(environment, needed));
  }

  /** As above, for a list that then leaves out what the caller may not see. */
  public ControlApiCall enterAnywhere(
      String organization, Permission needed, String action, String objectType) {
    return enter(
        organization, action, objectType, organization, caller -> caller.requireAnywhere(needed));
  }

  private ControlApiCall enter(
      String organization,
      String action,
      String objectType,
      String objectId,
      Consumer<Caller> permitted) {
    Caller caller =
        callers
            .in(organization)
            .orElseThrow(
                () ->
                    refuse(
                        callers.identity().log(),
                        action,
                        "organization",
                        TenantId.isWellFormed(organization) ? organization : "(malformed)",
                        ProblemException.of(
                            ErrorCode.NOT_FOUND,
                            "There is no such organisation, or it is not the caller's.")));
    ControlApiCall call = new ControlApiCall(caller, actor());
    try {
      permitted.accept(caller);
    } catch (ProblemException lacking) {
      throw refuse(call, action, objectType, objectId, lacking);
    }
    return call;
  }

  /** Writes down that an attempt is refused; the caller throws what this returns. */
  public ProblemException refuse(
      ControlApiCall call,
      String action,
      String objectType,
      String objectId,
      ProblemException problem) {
    return refuse(call.organization(), action, objectType, objectId, problem);
  }

  /** As above, in the log of an organisation. */
  public ProblemException refuse(
      TenantId organization,
      String action,
      String objectType,
      @Nullable String objectId,
      ProblemException problem) {
    try {
      log.refused(organization, actor(), action, objectType, shown(objectId), problem.code());
    } catch (RuntimeException failure) {
      // Refused all the same; that it could not be written down must not be lost.
      LOG.error(
          "A refusal is not in the audit log: {} {} {} by {}",
          action,
          objectType,
          shown(objectId),
          actor(),
          failure);
    }
    return problem;
  }

  /** Identifiers come from the path: PostgreSQL takes no null character, logs no line breaks. */
  private static String shown(@Nullable String objectId) {
    String plain = Objects.requireNonNull(objectId).replaceAll("\\p{Cntrl}", "?");
    return plain.substring(0, Math.min(plain.length(), 128));
  }
}
