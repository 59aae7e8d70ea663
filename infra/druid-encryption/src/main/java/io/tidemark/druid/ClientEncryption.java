package io.tidemark.druid;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.apache.druid.metadata.PasswordProvider;
import org.apache.druid.server.security.TLSCertificateChecker;
import org.apache.druid.server.security.TLSUtils;

/** Settings below {@code druid.client.https}, named as the official image names them. */
class ClientEncryption {
  @JsonProperty private String protocol = "TLSv1.3";
  @JsonProperty private String trustStoreType;
  @JsonProperty private String trustStorePath;
  @JsonProperty private PasswordProvider trustStorePassword;
  @JsonProperty private String keyStoreType;
  @JsonProperty private String keyStorePath;
  @JsonProperty private String certAlias;
  @JsonProperty private PasswordProvider keyStorePassword;
  @JsonProperty private PasswordProvider keyManagerPassword;
  @JsonProperty private Boolean validateHostnames = true;

  /** Follows its stores: a connection shows and trusts what they hold when it begins. */
  SSLContext context(TLSCertificateChecker checker) {
    return ReloadingSslContext.of(
        Stream.of(keyStorePath, trustStorePath).filter(Objects::nonNull).map(Path::of).toList(),
        () -> read(checker));
  }

  private SSLContext read(TLSCertificateChecker checker) {
    return new TLSUtils.ClientSSLContextBuilder()
        .setProtocol(protocol)
        .setTrustStoreType(trustStoreType)
        .setTrustStorePath(trustStorePath)
        .setTrustStorePasswordProvider(trustStorePassword)
        .setKeyStoreType(keyStoreType)
        .setKeyStorePath(keyStorePath)
        .setCertAlias(certAlias)
        .setKeyStorePasswordProvider(keyStorePassword)
        .setKeyManagerFactoryPasswordProvider(keyManagerPassword)
        .setValidateHostnames(validateHostnames)
        .setCertificateChecker(checker)
        .build();
  }
}
