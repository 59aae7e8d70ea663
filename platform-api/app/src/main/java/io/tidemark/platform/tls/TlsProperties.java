package io.tidemark.platform.tls;

import io.tidemark.platform.shared.ValidatedSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of encryption.
 *
 * @param certificate PEM file of the certificate and those it stands on; empty: nothing is
 *     encrypted
 * @param privateKey PEM file of its key
 */
@ConfigurationProperties("tidemark.tls")
record TlsProperties(@DefaultValue("") String certificate, @DefaultValue("") String privateKey)
    implements ValidatedSettings {

  boolean isSet() {
    return !certificate.isBlank();
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (certificate.isBlank() != privateKey.isBlank()) {
      faults.add("TIDEMARK_TLS_CERTIFICATE and TIDEMARK_TLS_PRIVATE_KEY must be set together");
    }
    checkFile("TIDEMARK_TLS_CERTIFICATE", certificate, faults);
    checkFile("TIDEMARK_TLS_PRIVATE_KEY", privateKey, faults);
    return faults;
  }

  private static void checkFile(String setting, String file, List<String> faults) {
    if (!file.isBlank() && !Files.isReadable(Path.of(file))) {
      faults.add(setting + " names " + file + ", which cannot be read");
    }
  }
}
