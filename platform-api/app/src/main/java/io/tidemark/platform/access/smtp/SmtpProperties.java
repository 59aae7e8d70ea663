package io.tidemark.platform.access.smtp;

import io.tidemark.platform.shared.ValidatedSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where mail is handed over.
 *
 * @param host empty for no mail
 * @param from address that mail comes from
 * @param user empty to hand over without signing in
 * @param certificates file of the certificates to trust; empty for those that Java trusts
 */
@ConfigurationProperties("tidemark.mail")
public record SmtpProperties(
    @DefaultValue("") String host,
    @DefaultValue("587") int port,
    @DefaultValue("") String from,
    @DefaultValue("") String user,
    @DefaultValue("") String password,
    @DefaultValue("starttls") Encryption encryption,
    @DefaultValue("") String certificates)
    implements ValidatedSettings {

  /** How the connection is kept from others' eyes. */
  public enum Encryption {
    /** Begun in the open, and not used unless the server encrypts it. */
    STARTTLS,
    /** From its first byte. */
    TLS,
    /** Not at all: a server on the same machine. */
    NONE
  }

  /** Whether there is a server. */
  public boolean isSet() {
    return !host.isBlank();
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (!isSet()) {
      return faults;
    }
    if (!from.matches("[^\\s@<>]+@[^\\s@<>]+")) {
      faults.add("TIDEMARK_MAIL_FROM must be a mail address with TIDEMARK_SMTP_HOST");
    }
    if (port < 1 || port > 65_535) {
      faults.add("TIDEMARK_SMTP_PORT must be 1 to 65535");
    }
    if (user.isEmpty() != password.isEmpty()) {
      faults.add("TIDEMARK_SMTP_USER and TIDEMARK_SMTP_PASSWORD belong together");
    }
    if (!user.isEmpty() && encryption == Encryption.NONE) {
      faults.add(
          "TIDEMARK_SMTP_ENCRYPTION must be starttls or tls with TIDEMARK_SMTP_USER, or the"
              + " password is for everybody to read");
    }
    if (!certificates.isEmpty()) {
      TrustedCertificates.fault(Path.of(certificates))
          .ifPresent(fault -> faults.add("TIDEMARK_SMTP_CERTIFICATES " + fault));
    }
    return faults;
  }

  @Override
  public String toString() {
    return "SmtpProperties[host=" + host + ", port=" + port + ", from=" + from + "]";
  }
}
