package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.access.smtp.SmtpMailSender;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingMailServer;
import io.tidemark.platform.testing.TestingPeople;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who forgot the password sets another one by a link, sent by a real mail server. */
@ExtendWith(RunningPlatform.Extension.class)
class PasswordResetIT {

  private static final String ANOTHER = "four patient otters";

  private final RunningPlatform platform;

  PasswordResetIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @AfterEach
  void withoutMail() {
    platform.mailSender(MailSender.NONE);
  }

  private Page ask(String mail) {
    TestingBrowser stranger = TestingBrowser.of(platform);
    Page answer = stranger.send(stranger.open("/identity/forgotten"), "mail", mail);
    assertThat(answer.text()).contains("is on its way to it");
    return answer;
  }

  private static Optional<List<MimeMessage>> taken(TestingMailServer server) {
    try {
      return Optional.of(server.taken());
    } catch (MessagingException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private static String link(MimeMessage mail) throws Exception {
    Matcher link = Pattern.compile("http\\S+").matcher((String) mail.getContent());
    assertThat(link.find()).isTrue();
    return link.group();
  }

  @Test
  void theLinkWorksOnceAndEndsEverySession() throws Exception {
    String mail = "forgetful@example.org";
    TestingBrowser old = TestingPeople.signedIn(platform, mail);
    try (TestingMailServer server = TestingMailServer.inTheOpen()) {
      platform.mailSender(
          new SmtpMailSender(
              new SmtpProperties(
                  "127.0.0.1",
                  server.port(),
                  "tidemark@example.org",
                  "",
                  "",
                  Encryption.NONE,
                  "")));
      String known = ask(mail).text();
      String unknown = ask("nobody@example.org").text();
      assertThat(unknown)
          .as("an address without an account is told the same")
          .isEqualTo(known.replace(mail, "nobody@example.org"));
      List<MimeMessage> sent =
          InterruptibleDelay.until(
              "mail", Duration.ofSeconds(10), () -> taken(server), all -> !all.isEmpty());
      assertThat(sent).hasSize(1);
      assertThat(sent.get(0).getAllRecipients()[0]).hasToString(mail);

      TestingBrowser browser = TestingBrowser.of(platform);
      Page form = browser.open(link(sent.get(0)));
      assertThat(form.address().toString()).as("the token leaves the address").endsWith("/reset");
      assertThat(browser.send(form, "wanted", "short", "again", "short").status()).isEqualTo(400);
      assertThat(browser.send(form, "wanted", ANOTHER, "again", "five " + ANOTHER).status())
          .isEqualTo(422);
      Page signIn = browser.send(form, "wanted", ANOTHER, "again", ANOTHER);
      assertThat(signIn.address().getPath()).isEqualTo("/identity/sign-in");

      assertThat(old.call("GET", "/api/v1/caller", null).status()).isEqualTo(401);
      assertThat(TestingBrowser.of(platform).open(link(sent.get(0))).status()).isEqualTo(404);
      TestingPeople.signIn(platform, mail, ANOTHER);
    }
  }

  @Test
  void withoutAMailServerThePageSaysWhatToDo() {
    assertThat(TestingBrowser.of(platform).open("/identity/forgotten").text())
        .contains("TIDEMARK_SMTP_HOST")
        .doesNotContain("<form");
  }

  @Test
  void aPersonSeesTheirBrowsersAndSignsOneOut() {
    String mail = "browsers@example.org";
    TestingBrowser here = TestingPeople.signedIn(platform, mail);
    TestingBrowser there = TestingPeople.signIn(platform, mail, TestingPeople.PASSWORD);
    TestingBrowser stranger = TestingPeople.signedIn(platform, "stranger@example.org");
    Page account = here.open("/account");
    Matcher other = Pattern.compile("name=\"session\" value=\"([^\"]+)\"").matcher(account.text());
    assertThat(other.find()).as(account.status() + " " + account.text()).isTrue();
    stranger.submit("/account/sessions/end", "session", other.group(1));
    assertThat(there.call("GET", "/api/v1/caller", null).status())
        .as("nobody ends another's session")
        .isEqualTo(200);
    Page after = here.submit("/account/sessions/end", "session", other.group(1));
    assertThat(after.status()).isEqualTo(200);
    assertThat(there.call("GET", "/api/v1/caller", null).status()).isEqualTo(401);
    assertThat(here.call("GET", "/api/v1/caller", null).status()).isEqualTo(200);
  }
}
