package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.access.smtp.SmtpMailSender;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingMailServer;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Incidents are told by mail, where there is a mail server, and again when it was away. */
@ExtendWith(RunningPlatform.Extension.class)
class EmailIntegrationIT {

  private static final String EMAIL =
      """
      {"name":"Ops","kind":"email","url":"mailto:ops@example.org","send_test":false,
       "group_messages":{"wait_seconds":0}}
      """;

  private final RunningPlatform platform;
  private final ControlApi demo;

  EmailIntegrationIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  @AfterEach
  void withoutMailAgain() {
    platform.mailSender(MailSender.NONE);
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  @Test
  void withoutAMailServerOrAnAddressItIsRefused() {
    String place = environment("env-mail-refused");
    Answer refused =
        demo.post(place + "/integrations", EMAIL.replace("ops@example.org", "a@b.org,c@d.org"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("TIDEMARK_SMTP_HOST", "url must be mailto:");
  }

  @Test
  void anIncidentIsMailedAndTheLogSaysSo() throws Exception {
    String place = environment("env-mail");
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
      Answer made = demo.post(place + "/integrations", EMAIL);
      assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
      String rule =
          demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
      TestingAlerts.incident(platform, new TenantId("org-demo"), "env-mail", rule);

      MimeMessage mail = taken(server).get(0);
      assertThat(mail.getAllRecipients()[0]).hasToString("ops@example.org");
      assertThat(mail.getSubject()).isEqualTo("[CRITICAL] Queue is long");
      assertThat((String) mail.getContent()).contains("orders has 150.0");
      String integration = made.body().path("integration").path("id").asString();
      String state =
          InterruptibleDelay.until(
              "the delivery in the log",
              Duration.ofSeconds(30),
              () ->
                  Optional.of(
                      demo.get(place + "/integrations/" + integration + "/deliveries")
                          .body()
                          .path("data")
                          .path(0)
                          .path("state")
                          .asString()),
              "delivered"::equals);
      assertThat(state).isEqualTo("delivered");
    }
  }

  private static List<MimeMessage> taken(TestingMailServer server) {
    return InterruptibleDelay.until(
        "a mail",
        Duration.ofSeconds(30),
        () -> {
          try {
            return Optional.of(server.taken());
          } catch (MessagingException unreadable) {
            throw new AssertionError(unreadable);
          }
        },
        mails -> !mails.isEmpty());
  }
}
