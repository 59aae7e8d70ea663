package io.tidemark.platform.access.web;

import io.tidemark.platform.access.People;
import io.tidemark.platform.access.People.Belonging;
import io.tidemark.platform.access.domain.Grant;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request with the session of a person. What the person belongs to is looked up anew for each
 * request, so that whoever is removed is out at once.
 */
final class PersonCaller implements RequestCaller {

  private final String person;
  private final String named;
  private final People people;
  private @Nullable List<Belonging> belongings;

  /**
   * A request.
   *
   * @param named the organisation that the request names in a header; null for none
   */
  PersonCaller(String person, String named, People people) {
    this.person = person;
    this.named = named;
    this.people = people;
  }

  private List<Belonging> belongings() {
    if (belongings == null) {
      belongings = people.organizationsOf(person);
    }
    return belongings;
  }

  @Override
  public String countedAs() {
    return "person " + person;
  }

  @Override
  public Identity identity() {
    return new Identity("person", person, TenantId.PLATFORM);
  }

  @Override
  public Caller current() {
    if (named != null) {
      return in(named)
          .orElseThrow(
              () ->
                  ProblemException.of(
                      ErrorCode.NOT_FOUND,
                      "There is no such organisation, or you do not belong to it."));
    }
    if (belongings().size() != 1) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "You belong to "
              + belongings().size()
              + " organisations. Name one in the header "
              + ApiAuthentication.ORGANIZATION_HEADER
              + ".");
    }
    return caller(belongings().get(0));
  }

  @Override
  public Optional<Caller> in(String organization) {
    return belongings().stream()
        .filter(belonging -> belonging.organization().value().equals(organization))
        .findFirst()
        .map(this::caller);
  }

  private Caller caller(Belonging belonging) {
    List<Grant> grants = Grant.parse(belonging.grants());
    return new Caller(
        belonging.organization(),
        null,
        null,
        person,
        Grant.everywhere(grants),
        Grant.inEnvironments(grants));
  }

  @Override
  public List<TenantId> organizations() {
    return belongings().stream().map(Belonging::organization).toList();
  }
}
