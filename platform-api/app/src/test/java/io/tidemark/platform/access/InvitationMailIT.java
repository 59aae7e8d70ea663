package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.smtp.SmtpInvitationSender;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
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
