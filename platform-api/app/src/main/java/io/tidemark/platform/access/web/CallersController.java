package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.CallersApi;
import io.tidemark.contracts.controlapi.model.CallerDescription;
import io.tidemark.contracts.controlapi.model.CallerKind;
import io.tidemark.contracts.controlapi.model.ProfileDraft;
import io.tidemark.contracts.controlapi.model.Session;
import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.access.SignedInPerson;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Tells callers who they are. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class CallersController implements CallersApi {

  private final CurrentCaller callers;
  private final ControlApiGuard guard;
  private final People people;
  private final ObjectProvider<SignedInPerson> sessions;

  CallersController(
      CurrentCaller callers,
      ControlApiGuard guard,
      People people,
      ObjectProvider<SignedInPerson> sessions) {
    this.callers = callers;
    this.guard = guard;
    this.people = people;
    this.sessions = sessions;
  }

  @Override
  public ResponseEntity<CallerDescription> getCaller() {
    return ResponseEntity.ok(
        callers.identity().isPerson() ? person(callers.identity().id()) : key(callers.current()));
  }

  private static CallerDescription key(Caller caller) {
    return new CallerDescription(
            CallerKind.API_KEY,
            caller.permissions().stream().map(Permission::wireName).sorted().toList())
        .organizationId(caller.organization().value())
        .environmentId(Objects.requireNonNull(caller.environment()).value())
        .apiKeyId(caller.keyId());
  }

  private CallerDescription person(String id) {
    return new CallerDescription(CallerKind.PERSON, List.of())
        .person(shown(id))
        .organizations(people.organizationsOf(id).stream().map(MembersApiMapping::shown).toList());
  }

  @Override
  public ResponseEntity<Session> getSession() {
    guard.enterAsPerson("session.read", "session");
    SignedInPerson.Session session =
        sessions.getObject().session().orElseThrow(CallersController::over);
    return ResponseEntity.ok()
        .header("Cache-Control", "no-store")
        .body(
            new Session(
                shown(session.person()),
                session.formToken(),
                session.idleTime().toSeconds(),
                session.end().atOffset(ZoneOffset.UTC)));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Person> getProfile() {
    Actor actor = guard.enterAsPerson("person.read", "person");
    return ResponseEntity.ok(shown(actor.id()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Person> changeProfile(
      ProfileDraft draft) {
    Actor actor = guard.enterAsPerson("person.change", "person");
    people.chooseTimeZone(actor.id(), draft.getTimeZone(), actor);
    return ResponseEntity.ok(shown(actor.id()));
  }

  /** The person as only they see themselves. */
  private io.tidemark.contracts.controlapi.model.Person shown(String id) {
    return MembersApiMapping.shown(known(id)).timeZone(people.timeZoneOf(id).orElse(null));
  }

  private Person known(String id) {
    return people.find(id).orElseThrow(CallersController::over);
  }

  private static ProblemException over() {
    return ProblemException.of(ErrorCode.UNAUTHENTICATED, "The session is over. Sign in again.");
  }
}
