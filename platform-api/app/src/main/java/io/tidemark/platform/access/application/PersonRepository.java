package io.tidemark.platform.access.application;

import io.tidemark.platform.access.People.Belonging;
import io.tidemark.platform.access.People.Vouched;
import io.tidemark.platform.access.Person;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where people are kept. They belong to no organisation. */
public interface PersonRepository {

  /** Adds the person with that identifier, or renews the one of that issuer and subject. */
  Person addOrRenew(String id, Vouched vouched, Instant now);

  Optional<Person> find(String id);

  Optional<Person> find(String issuer, @Nullable String subject);

  /** Empty for somebody who chose none. */
  Optional<String> timeZoneOf(String person);

  /** Takes another zone; null for none. */
  void changeTimeZone(String person, @Nullable String timeZone);

  /** Whether that issuer vouches for the person. */
  boolean isVouchedBy(String person, String issuer);

  /** Whether all organisations that the person belongs to have disabled them. */
  boolean isDisabledEverywhere(String person);

  /** Over all organisations that have not disabled them, by identifier. */
  List<Belonging> organizationsOf(String person);
}
