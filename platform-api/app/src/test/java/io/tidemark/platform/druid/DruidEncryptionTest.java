package io.tidemark.platform.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
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
    String certificate = certificates.certificate().toString();
    String key = certificates.privateKey().toString();
    HttpsServer druid =
        druid(
            SslBundle.of(
                    new PemSslStoreBundle(
                        new PemSslStoreDetails(null, "file:" + certificate, "file:" + key),
                        PemSslStoreDetails.forCertificate("file:" + certificate)))
                .createSslContext(),
            peer -> {});
    try {
      URI address = address(druid);
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
  void aRenewedCertificateIsShownToTheNextConnectionOfTheSameClient() throws Exception {
    TestingCertificates own = new TestingCertificates(Files.createDirectory(folder.resolve("own")));
    TestingCertificates server =
        new TestingCertificates(Files.createDirectory(folder.resolve("server")));
    X509Certificate first = own.renew();
    server.renew();
    List<Certificate> shown = new CopyOnWriteArrayList<>();
    HttpsServer druid = druid(takingEverybody(server), shown::add);
    try {
      HttpClient client =
          DruidEncryption.client(
                  own.certificate().toString(),
                  own.privateKey().toString(),
                  server.certificate().toString())
              .build();
      status(client, address(druid));
      X509Certificate second = own.renew();
      status(client, address(druid));
      Files.writeString(own.certificate(), "half a certificate");
      status(client, address(druid));
      assertThat(shown).containsExactly(first, second, second);
    } finally {
      druid.stop(0);
    }
  }

  @Test
  void aFileThatIsNotThereStopsTheStart() {
    assertThatThrownBy(
            () -> DruidEncryption.client(null, null, folder.resolve("none.pem").toString()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("none.pem");
  }

  /** Each request needs a connection of its own. */
  private static HttpsServer druid(SSLContext context, Consumer<Certificate> shown)
      throws IOException {
    HttpsServer druid =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    druid.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = context.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    druid.createContext(
        "/",
        exchange -> {
          shown.accept(((HttpsExchange) exchange).getSSLSession().getPeerCertificates()[0]);
          exchange.getResponseHeaders().set("Connection", "close");
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    druid.start();
    return druid;
  }

  private static URI address(HttpsServer druid) {
    return URI.create("https://127.0.0.1:" + druid.getAddress().getPort() + "/status");
  }

  private static SSLContext takingEverybody(TestingCertificates server) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        SslBundle.of(
                new PemSslStoreBundle(
                    new PemSslStoreDetails(
                        null, "file:" + server.certificate(), "file:" + server.privateKey()),
                    null))
            .getManagers()
            .getKeyManagers(),
        new TrustManager[] {new EverybodyTrusted()},
        null);
    return context;
  }

  private static int status(HttpClient.Builder client, URI address) throws Exception {
    return status(client.build(), address);
  }

  private static int status(HttpClient client, URI address) throws Exception {
    return client
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static final class EverybodyTrusted implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {
      // Whoever it is.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {
      // Whoever it is.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
