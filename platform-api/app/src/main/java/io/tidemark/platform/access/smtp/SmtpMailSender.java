package io.tidemark.platform.access.smtp;

import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.access.smtp.SmtpProperties.Encryption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/** Hands each mail to a mail server, and waits some seconds at most. */
public final class SmtpMailSender implements MailSender {

  private static final Logger LOG = LoggerFactory.getLogger(SmtpMailSender.class);
  private static final String PATIENCE_MILLIS = "5000";

  private final JavaMailSenderImpl server = new JavaMailSenderImpl();
  private final String from;

  /** Mail over the server of the settings. */
  public SmtpMailSender(SmtpProperties settings) {
    this.from = settings.from();
    boolean encryptsFirst = settings.encryption() == Encryption.TLS;
    String protocol = encryptsFirst ? "smtps" : "smtp";
    server.setProtocol(protocol);
    server.setHost(settings.host());
    server.setPort(settings.port());
    server.setDefaultEncoding(StandardCharsets.UTF_8.name());
    Properties properties = server.getJavaMailProperties();
    String mail = "mail." + protocol + ".";
    for (String wait : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
      properties.put(mail + wait, PATIENCE_MILLIS);
    }
    properties.put(mail + "ssl.checkserveridentity", "true");
    if (!settings.certificates().isEmpty()) {
      properties.put(
          mail + "ssl.socketFactory",
          TrustedCertificates.sockets(Path.of(settings.certificates())));
    }
    if (settings.encryption() == Encryption.STARTTLS) {
      properties.put(mail + "starttls.enable", "true");
      properties.put(mail + "starttls.required", "true");
    }
    if (!settings.user().isEmpty()) {
      server.setUsername(settings.user());
      server.setPassword(settings.password());
      properties.put(mail + "auth", "true");
    }
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public boolean send(String to, String subject, String text) {
    SimpleMailMessage mail = new SimpleMailMessage();
    mail.setFrom(from);
    mail.setTo(to);
    mail.setSubject(subject);
    mail.setText(text);
    try {
      server.send(mail);
      return true;
    } catch (MailException failure) {
      // The text itself is in no exception.
      LOG.warn(
          "A mail was not sent by {}:{}: {}", server.getHost(), server.getPort(), why(failure));
      return false;
    }
  }

  private static String why(MailException failure) {
    // Spring's exception of a failed connection keeps its cause among the messages that failed.
    Throwable cause =
        failure instanceof MailSendException unsent && unsent.getMessageExceptions().length > 0
            ? unsent.getMessageExceptions()[0]
            : failure;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof GeneralSecurityException) {
        return "its certificate is not trusted or not its own ("
            + each.getMessage()
            + "). TIDEMARK_SMTP_CERTIFICATES names a file of certificates to trust.";
      }
    }
    return failure.toString();
  }
}
