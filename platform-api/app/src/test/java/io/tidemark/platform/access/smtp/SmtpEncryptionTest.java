package io.tidemark.platform.access.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.platform.access.InvitationSender.Message;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import io.tidemark.platform.testing.TestingMailServer;
import io.tidemark.platform.testing.TestingMailServer.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Mail is handed to a real server by STARTTLS and by TLS, with user and password, when its
 * certificate is trusted and its own; to no other, and the log says why.
 */
class SmtpEncryptionTest {

  private static final Message MESSAGE =
      new Message("guest@example.org", "Quay", "https://example.org/join?token=abc");

  @TempDir private static Path folder;
  private static Identity own;
  private static Identity foreign;

  private final Logger logger = (Logger) LoggerFactory.getLogger(SmtpMailSender.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeAll
  static void makeCertificates() throws Exception {
    own = Identity.of("ip:127.0.0.1", folder);
    foreign = Identity.of("dns:mail.example", folder);
  }

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(log);
  }

  private static TestingMailServer server(Encryption encryption, Identity identity) {
    return encryption == Encryption.TLS
        ? TestingMailServer.tls(identity)
        : TestingMailServer.startTls(identity);
  }

  private static boolean send(
      TestingMailServer server, Encryption encryption, String password, String certificates) {
    SmtpProperties settings =
        new SmtpProperties(
            "127.0.0.1",
            server.port(),
            "tidemark@example.org",
            TestingMailServer.USER,
            password,
            encryption,
            certificates);
    assertThat(settings.faults()).isEmpty();
    return new SmtpInvitationSender(settings).send(MESSAGE);
  }

  private String told() {
    assertThat(log.list).hasSize(1);
    return log.list.get(0).getFormattedMessage();
  }

  @ParameterizedTest
  @EnumSource(names = {"STARTTLS", "TLS"})
  void aServerThatIsTrustedGetsTheMail(Encryption encryption) throws Exception {
    try (TestingMailServer server = server(encryption, own)) {
      assertThat(send(server, encryption, TestingMailServer.PASSWORD, own.certificate().toString()))
          .isTrue();
      assertThat(server.taken()).hasSize(1);
      assertThat((String) server.taken().get(0).getContent()).contains(MESSAGE.link());
    }
    assertThat(log.list).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"STARTTLS", "TLS"})
  void aCertificateThatNobodyVouchesForIsRefused(Encryption encryption) throws Exception {
    try (TestingMailServer server = server(encryption, own)) {
      assertThat(send(server, encryption, TestingMailServer.PASSWORD, "")).isFalse();
      assertThat(
              send(
                  server, encryption, TestingMailServer.PASSWORD, foreign.certificate().toString()))
          .isFalse();
      assertThat(server.taken()).isEmpty();
      assertThat(log.list)
          .hasSize(2)
          .allSatisfy(
              each ->
                  assertThat(each.getFormattedMessage())
                      .contains("127.0.0.1:" + server.port())
                      .contains("its certificate is not trusted or not its own")
                      .contains("TIDEMARK_SMTP_CERTIFICATES")
                      .doesNotContain("token=abc"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STARTTLS", "TLS"})
  void aCertificateOfAnotherServerIsRefused(Encryption encryption) throws Exception {
    try (TestingMailServer server = server(encryption, foreign)) {
      assertThat(
              send(
                  server, encryption, TestingMailServer.PASSWORD, foreign.certificate().toString()))
          .isFalse();
      assertThat(server.taken()).isEmpty();
    }
    assertThat(told()).contains("its certificate is not trusted or not its own");
  }

  @Test
  void aServerThatOffersNoEncryptionGetsNeitherPasswordNorMail() throws Exception {
    try (TestingMailServer server = TestingMailServer.inTheOpen()) {
      assertThat(send(server, Encryption.STARTTLS, TestingMailServer.PASSWORD, "")).isFalse();
      assertThat(server.taken()).isEmpty();
    }
    assertThat(told()).contains("STARTTLS is required");
  }

  @Test
  void aWrongPasswordIsSaidToBeOne() throws Exception {
    try (TestingMailServer server = server(Encryption.STARTTLS, own)) {
      assertThat(send(server, Encryption.STARTTLS, "another", own.certificate().toString()))
          .isFalse();
      assertThat(server.taken()).isEmpty();
    }
    assertThat(told()).contains("Authentication failed").doesNotContain("another");
  }

  @Test
  void aFileWithoutCertificatesIsAFaultOfTheConfiguration() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.pem"));
    Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");
    for (Path file : new Path[] {empty, text, folder.resolve("absent.pem"), folder}) {
      assertThat(
              new SmtpProperties(
                      "mail.example",
                      587,
                      "tidemark@example.org",
                      "",
                      "",
                      Encryption.STARTTLS,
                      file.toString())
                  .faults())
          .singleElement()
          .asString()
          .startsWith("TIDEMARK_SMTP_CERTIFICATES ")
          .contains(file.toString());
    }
  }
}
