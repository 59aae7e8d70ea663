package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingPeople;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** People are disabled, enabled and removed, and what their sessions are worth after it. */
@ExtendWith(RunningPlatform.Extension.class)
class DisabledMembersIT {

  private final RunningPlatform platform;

  DisabledMembersIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private static String path(String organization) {
    return "/api/v1/organizations/" + organization;
  }

  private static String organization(TestingBrowser founder) {
    return founder
        .change("POST", "/api/v1/organizations", "{\"display_name\":\"Quay\"}")
        .body()
        .path("id")
        .asString();
  }

  private TestingBrowser member(
      TestingBrowser founder, String organization, String mail, String role) {
    TestingBrowser member = TestingPeople.signedIn(platform, mail);
    join(founder, organization, member, mail, role);
    return member;
  }

  private static void join(
      TestingBrowser founder,
      String organization,
      TestingBrowser member,
      String mail,
      String role) {
    String link =
        founder
            .change(
                "POST",
                path(organization) + "/invitations",
                "{\"mail\":\"%s\",\"grants\":[{\"role\":\"%s\"}]}".formatted(mail, role))
            .body()
            .path("link")
            .asString();
    assertThat(
            member
                .change(
                    "POST",
                    "/api/v1/invitations/accept",
                    "{\"token\":\"%s\"}".formatted(link.substring(link.indexOf("token=") + 6)))
                .status())
        .isEqualTo(200);
  }

  private static String person(TestingBrowser browser) {
    return browser.call("GET", "/api/v1/caller", null).body().path("person").path("id").asString();
  }

  private static int asksWhoTheyAre(TestingBrowser browser) {
    return browser.call("GET", "/api/v1/caller", null).status();
  }

  private Page signsIn(String mail) {
    TestingBrowser browser = TestingBrowser.of(platform);
    return browser.send(
        browser.open("/auth/sign-in"), "mail", mail, "password", TestingPeople.PASSWORD);
  }

  @Test
  void whoIsDisabledIsSignedOutAndCannotSignInUntilEnabledAgain() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder-dis@example.org");
    String organization = organization(founder);
    TestingBrowser first =
        member(founder, organization, "member-dis@example.org", "organization_admin");
    TestingBrowser second =
        TestingPeople.signIn(platform, "member-dis@example.org", TestingPeople.PASSWORD);
    String member = path(organization) + "/members/" + person(first);
    assertThat(second.call("GET", path(organization), null).status()).isEqualTo(200);

    Answer disabled = founder.change("POST", member + "/disable", null);
    assertThat(disabled.status()).as("%s", disabled.body()).isEqualTo(200);
    assertThat(disabled.body().path("state").asString()).isEqualTo("disabled");
    assertThat(disabled.body().path("grants").toString()).contains("organization_admin");

    assertThat(asksWhoTheyAre(first)).isEqualTo(401);
    assertThat(asksWhoTheyAre(second)).isEqualTo(401);
    Page refused = signsIn("member-dis@example.org");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("Your account is disabled");
    assertThat(founder.change("POST", member + "/disable", null).body())
        .as("again it changes nothing")
        .isEqualTo(disabled.body());
    assertThat(
            founder
                .change(
                    "POST", path(organization) + "/members/" + person(founder) + "/disable", null)
                .code())
        .as("a disabled administrator administers nothing")
        .isEqualTo("conflict");

    assertThat(founder.change("POST", member + "/enable", null).body().path("state").asString())
        .isEqualTo("active");
    TestingBrowser back =
        TestingPeople.signIn(platform, "member-dis@example.org", TestingPeople.PASSWORD);
    assertThat(back.call("GET", path(organization) + "/members", null).status()).isEqualTo(200);
    assertThat(founder.call("GET", path(organization) + "/audit-log", null).body().toString())
        .contains("member.disable", "member.enable");
  }

  @Test
  void whoBelongsElsewhereTooLosesThisOrganisationOnly() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder-two@example.org");
    String here = organization(founder);
    TestingBrowser member = member(founder, here, "member-two@example.org", "developer");
    String elsewhere = organization(member);
    String place = path(here) + "/members/" + person(member);

    assertThat(founder.change("POST", place + "/disable", null).status()).isEqualTo(200);
    assertThat(member.call("GET", path(here), null).code()).isEqualTo("not_found");
    assertThat(member.call("GET", path(elsewhere), null).status()).isEqualTo(200);
    join(founder, here, member, "member-two@example.org", "metrics_viewer");
    assertThat(member.call("GET", path(here), null).code())
        .as("an invitation does not enable anybody")
        .isEqualTo("not_found");
    assertThat(signsIn("member-two@example.org").status()).isEqualTo(200);

    assertThat(founder.change("DELETE", place, null).status()).isEqualTo(204);
    assertThat(member.call("GET", path(elsewhere), null).status()).isEqualTo(200);
  }

  @Test
  void whoIsRemovedFromTheirOnlyOrganisationIsSignedOut() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder-out@example.org");
    String organization = organization(founder);
    TestingBrowser member = member(founder, organization, "member-out@example.org", "developer");

    assertThat(
            founder
                .change("DELETE", path(organization) + "/members/" + person(member), null)
                .status())
        .isEqualTo(204);
    assertThat(asksWhoTheyAre(member)).isEqualTo(401);
    assertThat(signsIn("member-out@example.org").status())
        .as("removed is not disabled: they may belong elsewhere")
        .isEqualTo(200);
  }
}
