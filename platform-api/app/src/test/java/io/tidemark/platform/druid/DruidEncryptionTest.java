package io.tidemark.platform.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.platform.testing.TestingCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** Against a server that lets nobody in without the one certificate that it knows. */
class DruidEncryptionTest {

  @TempDir private Path folder;

  @Test
  void theCertificateIsShownAndTheServerIsKnownByItsOwn() throws Exception {
    TestingCertificates certificates = new TestingCertificates(folder);
    certificates.renew();
    String certificate = "file:" + certificates.certificate();
    String key = "file:" + certificates.privateKey();
    SSLContext known =
        SslBundle.of(
                new PemSslStoreBundle(
                    new PemSslStoreDetails(null, certificate, key),
                    PemSslStoreDetails.forCertificate(certificate)))
            .createSslContext();
    HttpsServer druid =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    druid.setHttpsConfigurator(
        new HttpsConfigurator(known) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = known.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    druid.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    druid.start();
    try {
      URI address = URI.create("https://127.0.0.1:" + druid.getAddress().getPort() + "/status");
      assertThat(status(DruidEncryption.client(certificate, key, certificate), address))
          .isEqualTo(204);
      assertThatThrownBy(() -> status(DruidEncryption.client(null, null, certificate), address))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> status(DruidEncryption.client(null, null, null), address))
          .isInstanceOf(IOException.class);
    } finally {
      druid.stop(0);
    }
  }

  @Test
  void aFileThatIsNotThereStopsTheStart() {
    assertThatThrownBy(
            () -> DruidEncryption.client(null, null, "file:" + folder.resolve("none.pem")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("none.pem");
  }

  private static int status(HttpClient.Builder client, URI address) throws Exception {
    return client
        .build()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
