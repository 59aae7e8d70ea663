package io.tidemark.platform.access;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The humans who sign in, whatever organisations they belong to. */
public interface People {

  /** The issuer of accounts that Tidemark keeps itself. */
  String OWN_ACCOUNTS = "urn:tidemark:accounts";

  /** What a provider of identities vouches for. */
  record Vouched(
      String issuer,
      @Nullable String subject,
      @Nullable String mail,
      boolean mailVerified,
      @Nullable String displayName) {}

  /** The person of that issuer and subject, made when there is none; mail and name are renewed. */
  Person signedIn(Vouched vouched, String address);

  Optional<Person> find(String id);

  /** The zone in which the person wants to see times; empty while it is the browser's. */
  Optional<String> timeZoneOf(String person);

  /**
   * Takes the zone in which the person wants to see times.
   *
   * @param timeZone a name of the IANA database; null for the zone of the browser
   * @throws io.tidemark.platform.shared.ProblemException {@code invalid_request} when there is no
   *     such zone
   */
  void chooseTimeZone(String person, @Nullable String timeZone, Actor actor);

  /** The person of that issuer and subject. */
  Optional<Person> find(String issuer, @Nullable String subject);

  /**
   * Whether all organisations that the person belongs to have disabled them; false for somebody who
   * belongs to none.
   */
  boolean isDisabledEverywhere(String person);

  /** Makes the person an administrator of an organisation that has none yet, or does nothing. */
  void administerIfNobodyDoes(TenantId organization, String person, Actor actor);

  /**
   * The organisations that the person belongs to and is not disabled in, by identifier, and as
   * what.
   */
  List<Belonging> organizationsOf(String person);

  /**
   * An organisation that a person belongs to; grants as texts, {@code role} or {@code role@env}.
   */
  record Belonging(TenantId organization, List<String> grants) {}
}
