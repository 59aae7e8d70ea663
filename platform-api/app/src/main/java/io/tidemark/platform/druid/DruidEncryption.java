package io.tidemark.platform.druid;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * What every client of Druid shows to it, and whom it takes for Druid: PEM files that {@code
 * TIDEMARK_DRUID_CERTIFICATE}, {@code TIDEMARK_DRUID_PRIVATE_KEY} and {@code
 * TIDEMARK_DRUID_TRUSTED} name. Files that change are read again for the next connection. Unset,
 * Druid asks for nothing.
 */
public final class DruidEncryption {

  private static final String CERTIFICATE = "TIDEMARK_DRUID_CERTIFICATE";
  private static final String PRIVATE_KEY = "TIDEMARK_DRUID_PRIVATE_KEY";
  private static final String TRUSTED = "TIDEMARK_DRUID_TRUSTED";

  private DruidEncryption() {}

  /**
   * A client to be completed.
   *
   * @throws IllegalStateException when a file is missing or is not PEM
   */
  public static HttpClient.Builder client() {
    return client(file(CERTIFICATE), file(PRIVATE_KEY), file(TRUSTED));
  }

  static HttpClient.Builder client(
      @Nullable String certificate, @Nullable String privateKey, @Nullable String trusted) {
    HttpClient.Builder client = HttpClient.newBuilder();
    if (certificate == null && privateKey == null && trusted == null) {
      return client;
    }
    PemSslStoreDetails own =
        new PemSslStoreDetails(null, location(certificate), location(privateKey));
    PemSslStoreDetails taken = PemSslStoreDetails.forCertificate(location(trusted));
    List<Path> files =
        Stream.of(certificate, privateKey, trusted).filter(Objects::nonNull).map(Path::of).toList();
    return client.sslContext(
        ReloadingSslContext.of(
            files, () -> SslBundle.of(new PemSslStoreBundle(own, taken)).createSslContext()));
  }

  private static @Nullable String location(@Nullable String file) {
    return file == null ? null : "file:" + file;
  }

  private static @Nullable String file(String variable) {
    String name = System.getenv(variable);
    return name == null || name.isBlank() ? null : name;
  }
}
