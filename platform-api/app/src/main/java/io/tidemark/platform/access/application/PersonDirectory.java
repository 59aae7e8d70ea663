package io.tidemark.platform.access.application;

import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.access.domain.RandomId;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** People who sign in. Each sign-in is in the log of the platform and of their organisations. */
public final class PersonDirectory implements People {

  private static final int MAX_LOGS = 20;
  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();

  private final PersonRepository people;
  private final MemberRepository members;
  private final TenantTransactions transactions;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;

  public PersonDirectory(
      PersonRepository people,
      MemberRepository members,
      TenantTransactions transactions,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.people = people;
    this.members = members;
    this.transactions = transactions;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Person signedIn(Vouched vouched, String address) {
    Person person = people.addOrRenew(RandomId.draw("per-", random), vouched, clock.instant());
    Actor actor = new Actor("person", person.id(), address);
    Set<TenantId> logs = new LinkedHashSet<>();
    logs.add(TenantId.PLATFORM);
    organizationsOf(person.id()).stream()
        .limit(MAX_LOGS)
        .forEach(belonging -> logs.add(belonging.organization()));
    for (TenantId log : logs) {
      audit.done(log, actor, "person.sign_in", "person", person.id(), null, person);
    }
    return person;
  }

  @Override
  public Optional<Person> find(String id) {
    return people.find(id);
  }

  @Override
  public Optional<String> timeZoneOf(String person) {
    return people.timeZoneOf(person);
  }

  @Override
  public void chooseTimeZone(String person, @Nullable String timeZone, Actor actor) {
    if (timeZone != null && !ZONES.contains(timeZone)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "time_zone must be a name of the IANA database, such as Europe/Berlin.");
    }
    Optional<String> before = people.timeZoneOf(person);
    if (before.equals(Optional.ofNullable(timeZone))) {
      return;
    }
    people.changeTimeZone(person, timeZone);
    audit.done(
        TenantId.PLATFORM,
        actor,
        "person.change",
        "person",
        person,
        zone(before.orElse(null)),
        zone(timeZone));
  }

  private static Map<String, String> zone(@Nullable String timeZone) {
    return timeZone == null ? Map.of() : Map.of("time_zone", timeZone);
  }

  @Override
  public Optional<Person> find(String issuer, @Nullable String subject) {
    return people.find(issuer, subject);
  }

  @Override
  public boolean isDisabledEverywhere(String person) {
    return people.isDisabledEverywhere(person);
  }

  @Override
  public void administerIfNobodyDoes(TenantId organization, String person, Actor actor) {
    String admin = Role.ORGANIZATION_ADMIN.wireName();
    transactions.run(
        organization,
        () -> {
          members.lockAll(organization);
          if (members.having(organization, admin) == 0
              && members.add(organization, person, List.of(admin), clock.instant())) {
            audit.done(
                organization,
                actor,
                "member.add",
                "member",
                person,
                null,
                Map.of("grants", List.of(admin)));
          }
        });
  }

  @Override
  public List<Belonging> organizationsOf(String person) {
    return people.organizationsOf(person);
  }
}
