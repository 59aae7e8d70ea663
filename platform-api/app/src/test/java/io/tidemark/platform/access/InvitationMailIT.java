package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.smtp.SmtpInvitationSender;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingMailServer;
import io.tidemark.platform.testing.TestingPeople;
import jakarta.mail.internet.MimeMessage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Invitations go over a real mail server, or are shown when there is none that takes them. */
@ExtendWith(RunningPlatform.Extension.class)
class InvitationMailIT {

  private final RunningPlatform platform;

  InvitationMailIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @AfterEach
  void byHandAgain() {
    platform.invitationSender(InvitationSender.BY_HAND);
  }

  private Answer invite(TestingBrowser founder, String organization, String mail) {
    Answer invited =
        founder.change(
            "POST",
            "/api/v1/organizations/" + organization + "/invitations",
            "{\"mail\":\"%s\",\"grants\":[{\"role\":\"developer\"}]}".formatted(mail));
    assertThat(invited.status()).isEqualTo(201);
    return invited;
  }

  private static String mailedLink(TestingMailServer server) throws Exception {
    Matcher link = Pattern.compile("http\\S+").matcher((String) server.taken().get(0).getContent());
    assertThat(link.find()).isTrue();
    return link.group();
  }

  private SmtpInvitationSender over(TestingMailServer server) {
    return new SmtpInvitationSender(
        new SmtpProperties(
            "127.0.0.1", server.port(), "tidemark@example.org", "", "", Encryption.NONE, ""));
  }

  private static String found(TestingBrowser founder) {
    return founder
        .change("POST", "/api/v1/organizations", "{\"display_name\":\"Harbour\"}")
        .body()
        .path("id")
        .asString();
  }

  private static boolean isVerified(TestingBrowser browser) {
    return browser
        .call("GET", "/api/v1/caller", null)
        .body()
        .path("person")
        .path("mail_verified")
        .asBoolean();
  }

  private static void makeAccount(TestingBrowser browser, String link, String password) {
    Page signIn = browser.send(browser.open(link), "name", "Owner", "wanted", password);
    assertThat(signIn.address().getPath()).as(signIn.text()).isEqualTo("/identity/sign-in");
  }

  /** Somebody who invites another's address to an organisation of their own, and uses the link. */
  @Test
  void aLinkThatWasShownProvesNothingAndOneThatCameByMailProvesTheAddress() throws Exception {
    String mail = "owner-mail@example.org";
    TestingBrowser squatter = TestingPeople.signedIn(platform, "squatter-mail@example.org");
    String shown = invite(squatter, found(squatter), mail).body().path("link").asString();
    TestingBrowser first = TestingBrowser.of(platform);
    makeAccount(first, shown, TestingPeople.PASSWORD);
    TestingBrowser squatting = TestingPeople.signIn(platform, mail, TestingPeople.PASSWORD);
    assertThat(isVerified(squatting)).isFalse();
    Page joined = squatting.send(squatting.open(shown));
    assertThat(joined.text()).as("it was handed over by whoever invites").contains("Welcome");

    TestingBrowser founder = TestingPeople.signedIn(platform, "founder-proof@example.org");
    String link;
    try (TestingMailServer server = TestingMailServer.inTheOpen()) {
      platform.invitationSender(over(server));
      invite(founder, found(founder), mail);
      link = mailedLink(server);
    }
    TestingBrowser owner = TestingBrowser.of(platform);
    String password = "seven calm herons";
    makeAccount(owner, link, password);
    TestingBrowser signedIn = TestingPeople.signIn(platform, mail, password);
    assertThat(isVerified(signedIn)).isTrue();
    assertThat(signedIn.call("GET", "/api/v1/organizations", null).body().path("data").size())
        .as("nothing of the squatter's")
        .isZero();
    TestingBrowser again = TestingBrowser.of(platform);
    assertThat(
            again
                .send(again.open("/auth/sign-in"), "mail", mail, "password", TestingPeople.PASSWORD)
                .status())
        .isEqualTo(401);
  }

  @Test
  void theLinkIsInTheMailAndNotInTheAnswer() throws Exception {
    TestingBrowser founder = TestingPeople.signedIn(platform, "founder-mail@example.org");
    String organization =
        founder
            .change("POST", "/api/v1/organizations", "{\"display_name\":\"Kühlhaus & Söhne\"}")
            .body()
            .path("id")
            .asString();
    try (TestingMailServer server = TestingMailServer.inTheOpen()) {
      platform.invitationSender(
          new SmtpInvitationSender(
              new SmtpProperties(
                  "127.0.0.1",
                  server.port(),
                  "tidemark@example.org",
                  "",
                  "",
                  Encryption.NONE,
                  "")));

      Answer invited = invite(founder, organization, "guest-mail@example.org");
      assertThat(invited.body().path("mailed").asBoolean()).isTrue();
      assertThat(invited.body().has("link")).isFalse();
      MimeMessage mail = server.taken().get(0);
      assertThat(mail.getSubject()).isEqualTo("You are invited to Kühlhaus & Söhne");
      assertThat(mail.getFrom()[0]).hasToString("tidemark@example.org");
      assertThat(mail.getAllRecipients()[0]).hasToString("guest-mail@example.org");
      Matcher link = Pattern.compile("http\\S+").matcher((String) mail.getContent());
      assertThat(link.find()).isTrue();
      assertThat(TestingBrowser.of(platform).open(link.group()).text())
          .contains("guest-mail@example.org");
    }
    Answer byHand = invite(founder, organization, "other-mail@example.org");
    assertThat(byHand.body().path("mailed").asBoolean()).isFalse();
    assertThat(byHand.body().path("link").asString()).contains("/join?token=");
  }
}
