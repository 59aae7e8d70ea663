package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingPeople;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** People invite others to an organisation, say what they are in it, and remove them. */
@ExtendWith(RunningPlatform.Extension.class)
class InvitationsIT {

  private final RunningPlatform platform;

  InvitationsIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private static String path(String organization) {
    return "/api/v1/organizations/" + organization;
  }

  private static String organization(TestingBrowser founder) {
    Answer made = founder.change("POST", "/api/v1/organizations", "{\"display_name\":\"Harbour\"}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().path("id").asString()).matches("org-[a-z2-7]{16}");
    return made.body().path("id").asString();
  }

  private static Answer invite(
      TestingBrowser inviter, String organization, String mail, String grants) {
    return inviter.change(
        "POST",
        path(organization) + "/invitations",
        "{\"mail\":\"%s\",\"grants\":[%s]}".formatted(mail, grants));
  }

  private static String id(Answer invited) {
    return invited.body().path("invitation").path("id").asString();
  }

  private static String link(Answer invited) {
    assertThat(invited.status()).as("%s", invited.body()).isEqualTo(201);
    return invited.body().path("link").asString();
  }

  private static String person(TestingBrowser browser) {
    return browser.call("GET", "/api/v1/caller", null).body().path("person").path("id").asString();
  }

  @Test
  void somebodyWithoutAnAccountFollowsTheLinkMakesOneAndBelongs() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder@example.org");
    String organization = organization(founder);
    String link =
        link(invite(founder, organization, "New@Example.org", "{\"role\":\"developer\"}"));

    TestingBrowser guest = TestingBrowser.of(platform);
    Page account = guest.open(link);
    assertThat(account.address().toString()).as("the token leaves the address").endsWith("/join");
    assertThat(account.text()).contains("Harbour", "new@example.org", "developer");
    assertThat(guest.send(account, "name", "New", "wanted", "short").status()).isEqualTo(422);
    Page signIn = guest.send(account, "name", "New One", "wanted", TestingPeople.PASSWORD);
    assertThat(signIn.address().getPath()).isEqualTo("/identity/sign-in");
    Page join = guest.send(signIn, "mail", "new@example.org", "password", TestingPeople.PASSWORD);
    assertThat(join.address().getPath()).as(join.text()).isEqualTo("/join");
    Page joined = guest.send(join);
    assertThat(joined.text()).contains("Welcome", "Harbour");

    assertThat(guest.call("GET", path(organization), null).status()).isEqualTo(200);
    assertThat(guest.call("GET", path(organization) + "/members", null).code())
        .isEqualTo("forbidden");
    JsonNode members = founder.call("GET", path(organization) + "/members", null).body();
    assertThat(members.path("data").size()).isEqualTo(2);
    assertThat(members.toString()).contains("New One", "developer", "organization_admin");

    TestingBrowser second = TestingBrowser.of(platform);
    assertThat(second.open(link).status()).as("the link works once").isEqualTo(404);
    String log = founder.call("GET", path(organization) + "/audit-log", null).body().toString();
    assertThat(log)
        .contains("organization.create", "member.add", "invitation.create", "invitation.accept")
        .contains("\"actor_kind\":\"person\"");
    assertThat(
            founder
                .call("GET", path(organization) + "/audit-log/verification", null)
                .body()
                .path("intact")
                .asBoolean())
        .isTrue();
  }

  private static Answer accept(TestingBrowser browser, String link) {
    return browser.change(
        "POST",
        "/api/v1/invitations/accept",
        "{\"token\":\"%s\"}".formatted(link.substring(link.indexOf("token=") + 6)));
  }

  @Test
  void aLinkIsForOneMailAddressOnceUntilItIsRevokedOrReplaced() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder2@example.org");
    TestingBrowser other = TestingPeople.signedIn(platform, "other2@example.org");
    TestingBrowser invited = TestingPeople.signedIn(platform, "invited2@example.org");
    String organization = organization(founder);
    Answer first =
        invite(founder, organization, "invited2@example.org", "{\"role\":\"developer\"}");

    assertThat(accept(other, link(first)).code()).isEqualTo("forbidden");
    String anew = path(organization) + "/invitations/" + id(first) + "/send-again";
    Answer again = founder.change("POST", anew, null, "Idempotency-Key", "again-1");
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("false");
    assertThat(accept(invited, link(first)).code()).as("replaced").isEqualTo("not_found");
    Answer repeated = founder.change("POST", anew, null, "Idempotency-Key", "again-1");
    assertThat(repeated.status()).isEqualTo(200);
    assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(repeated.body().path("link").asString()).as("the first link stays").isEmpty();
    String link = again.body().path("link").asString();
    assertThat(accept(invited, link).status()).isEqualTo(200);
    assertThat(accept(invited, link).code()).as("used").isEqualTo("not_found");
    assertThat(
            founder
                .call("GET", path(organization) + "/invitations/" + id(first), null)
                .body()
                .path("state")
                .asString())
        .isEqualTo("accepted");

    Answer second = invite(founder, organization, "other2@example.org", "{\"role\":\"developer\"}");
    assertThat(
            founder
                .change("DELETE", path(organization) + "/invitations/" + id(second), null)
                .status())
        .isEqualTo(204);
    assertThat(accept(other, link(second)).code()).as("revoked").isEqualTo("not_found");
    Answer third = invite(founder, organization, "other2@example.org", "{\"role\":\"developer\"}");
    platform
        .database()
        .sql("UPDATE invitation SET expires_at = now() - interval '1 second' WHERE id = :id")
        .param("id", id(third))
        .update();
    assertThat(accept(other, link(third)).code()).as("too old").isEqualTo("not_found");
    assertThat(
            platform
                .database()
                .sql("SELECT count(*) FROM invitation WHERE encode(token_hash, 'escape') LIKE :t")
                .param("t", "%" + link.substring(link.length() - 20) + "%")
                .query(Long.class)
                .single())
        .isZero();
  }

  @Test
  void theLastAdministratorStaysAndWhoIsRemovedIsOutAtOnce() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder3@example.org");
    TestingBrowser second = TestingPeople.signedIn(platform, "second3@example.org");
    String organization = organization(founder);
    String own = path(organization) + "/members/" + person(founder);
    assertThat(founder.change("DELETE", own, null).code()).isEqualTo("conflict");
    assertThat(
            founder
                .change(
                    "PATCH", own, "{\"grants\":[{\"role\":\"developer\"}]}", "If-Match", "\"1\"")
                .code())
        .isEqualTo("conflict");
    accept(
        second,
        link(
            invite(
                founder,
                organization,
                "second3@example.org",
                "{\"role\":\"organization_admin\"}")));
    assertThat(second.change("DELETE", own, null).status()).isEqualTo(204);
    assertThat(founder.call("GET", path(organization), null).code())
        .as("signed out, since they belong nowhere")
        .isEqualTo("unauthenticated");
    TestingBrowser again =
        TestingPeople.signIn(platform, "founder3@example.org", TestingPeople.PASSWORD);
    assertThat(again.call("GET", path(organization), null).code()).isEqualTo("not_found");
    assertThat(again.call("GET", "/api/v1/organizations", null).body().toString())
        .doesNotContain(organization);
    assertThat(
            second.change("DELETE", path(organization) + "/members/" + person(second), null).code())
        .isEqualTo("conflict");
  }

  @Test
  void aRoleInOneEnvironmentIsARoleThereOnly() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder4@example.org");
    TestingBrowser partial = TestingPeople.signedIn(platform, "partial4@example.org");
    String organization = organization(founder);
    for (String environment : new String[] {"north", "south"}) {
      assertThat(
              founder
                  .change(
                      "POST",
                      path(organization) + "/environments",
                      "{\"id\":\"%1$s\",\"display_name\":\"%1$s\"}".formatted(environment))
                  .status())
          .isEqualTo(201);
    }
    assertThat(
            invite(
                    founder,
                    organization,
                    "partial4@example.org",
                    "{\"role\":\"developer\",\"environment_id\":\"none\"}")
                .code())
        .isEqualTo("invalid_request");
    accept(
        partial,
        link(
            invite(
                founder,
                organization,
                "partial4@example.org",
                "{\"role\":\"environment_admin\",\"environment_id\":\"north\"}")));

    JsonNode seen = partial.call("GET", path(organization) + "/environments", null).body();
    assertThat(seen.path("data").size()).isEqualTo(1);
    assertThat(seen.path("data").get(0).path("id").asString()).isEqualTo("north");
    String north = path(organization) + "/environments/north";
    String south = path(organization) + "/environments/south";
    assertThat(partial.call("GET", south, null).code()).isEqualTo("forbidden");
    assertThat(partial.change("POST", south + "/archive", null).code()).isEqualTo("forbidden");
    assertThat(partial.change("POST", north + "/archive", null).status()).isEqualTo(200);
    assertThat(
            partial
                .change(
                    "POST",
                    path(organization) + "/environments",
                    "{\"id\":\"west\",\"display_name\":\"West\"}")
                .code())
        .isEqualTo("forbidden");
  }

  @Test
  void nobodyGivesMoreThanTheyHave() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder5@example.org");
    String organization = organization(founder);
    // Nobody but an administrator has members:write through a role; a key may have it alone.
    Answer account =
        founder.change(
            "POST",
            path(organization) + "/service-accounts",
            "{\"display_name\":\"Inviter\",\"role\":\"organization_admin\"}");
    founder.change(
        "POST", path(organization) + "/environments", "{\"id\":\"env\",\"display_name\":\"Env\"}");
    Answer key =
        founder.change(
            "POST",
            path(organization)
                + "/service-accounts/"
                + account.body().path("id").asString()
                + "/api-keys",
            "{\"environment_id\":\"env\",\"scopes\":[\"members:write\",%s]}"
                .formatted(scopesOf(Role.METRICS_VIEWER)));
    var inviter =
        new io.tidemark.platform.testing.ControlApi(
            platform, organization, key.body().path("secret").asString());
    assertThat(
            inviter
                .post("/invitations", "{\"mail\":\"a@b.c\",\"grants\":[{\"role\":\"developer\"}]}")
                .code())
        .isEqualTo("forbidden");
    assertThat(
            inviter
                .post(
                    "/invitations",
                    "{\"mail\":\"a@b.c\",\"grants\":[{\"role\":\"metrics_viewer\"}]}")
                .status())
        .isEqualTo(201);
  }

  private static String scopesOf(Role role) {
    return role.permissions().stream()
        .map(permission -> '"' + permission.wireName() + '"')
        .collect(Collectors.joining(","));
  }
}
