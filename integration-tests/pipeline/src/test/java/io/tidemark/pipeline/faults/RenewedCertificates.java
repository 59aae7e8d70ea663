package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Certificates of a running stack are made anew: engines and public doors show them to whoever
 * connects next, and only Flink, which cannot, is started again. {@code make test-secure-stack}
 * runs it.
 */
@ExtendWith(RunningStack.class)
@Isolated("Flink is started again")
class RenewedCertificates {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String METRIC = "renewed.requests";
  private static final int POSTGRES_SSL_REQUEST = 80_877_103;

  /** What shows which certificate. */
  private static final Map<String, String> SHOWN = new TreeMap<>();

  static {
    SHOWN.put("postgres", "postgres");
    SHOWN.put("kafka", "kafka");
    SHOWN.put("kafka-controller", "kafka");
    SHOWN.put("druid-coordinator", "druid");
    SHOWN.put("druid-broker", "druid");
    SHOWN.put("druid-historical", "druid");
    SHOWN.put("druid-indexer", "druid");
    SHOWN.put("flink-ui", "flink");
    SHOWN.put("platform-api", "doors");
    SHOWN.put("otlp-http", "doors");
    SHOWN.put("otlp-grpc", "doors");
    SHOWN.put("kafka-door", "doors");
  }

  private final RunningStack.Started stack = RunningStack.get();

  @Test
  void enginesShowRenewedCertificatesWithoutAStart() throws Exception {
    assertCounted(1);
    Map<String, Instant> since = since();
    Map<String, X509Certificate> before = new TreeMap<>();
    for (String door : SHOWN.keySet()) {
      before.put(door, shown(door));
      assertThat(before.get(door)).as(door).isEqualTo(made(SHOWN.get(door)));
    }

    stack.stack().rotate("certificates");
    stack.stack().up();

    for (String door : SHOWN.keySet()) {
      X509Certificate renewed = made(SHOWN.get(door));
      assertThat(renewed).as(door).isNotEqualTo(before.get(door));
      Await.until(
          door + " shows its renewed certificate", PATIENCE, () -> shown(door), renewed::equals);
    }
    assertThat(since()).isEqualTo(since);
    assertCounted(2);
  }

  /** When each component started that need not start again. */
  private Map<String, Instant> since() {
    Map<String, Instant> since = new TreeMap<>();
    for (ComponentStatus component : stack.stack().status()) {
      if (!component.id().startsWith("flink-")) {
        since.put(component.id(), component.since().orElseThrow());
      }
    }
    return since;
  }

  private void assertCounted(int points) throws Exception {
    Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(60);
    new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-punctual"))
        .send(
            OtlpSender.batch(
                    "renewed",
                    List.of(new OtlpSender.Point(METRIC, Map.of(), minute.plusSeconds(points), 1)))
                .toByteArray());
    MetricsQuery query =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-punctual"));
    Await.until(
        "points are counted",
        PATIENCE,
        () ->
            query
                .ask(
                    "cloud",
                    MetricsQuery.body(
                        METRIC,
                        "SUM",
                        "ALL",
                        minute.minus(Duration.ofMinutes(30)),
                        minute.plus(Duration.ofMinutes(2)),
                        List.of()))
                .values()
                .stream()
                .mapToDouble(value -> value)
                .sum(),
        counted -> counted == points);
  }

  private X509Certificate made(String name) throws Exception {
    try (InputStream in =
        Files.newInputStream(
            stack.settings().home().resolve("certificates").resolve(name + ".pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private X509Certificate shown(String door) throws Exception {
    CertificateRecorder recorder = new CertificateRecorder();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {recorder}, null);
    int port = stack.settings().ports().of(door);
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
      plain.setSoTimeout(10_000);
      if (door.equals("postgres")) {
        wantEncryption(plain);
      }
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
        socket.startHandshake();
      } catch (IOException refused) {
        // This client shows nothing, which most doors refuse after they have shown theirs.
        if (recorder.seen == null) {
          throw refused;
        }
      }
    }
    return recorder.seen;
  }

  /** PostgreSQL begins in plain. */
  private static void wantEncryption(Socket plain) throws IOException {
    DataOutputStream out = new DataOutputStream(plain.getOutputStream());
    out.writeInt(8);
    out.writeInt(POSTGRES_SSL_REQUEST);
    out.flush();
    int answer = new DataInputStream(plain.getInputStream()).readByte();
    if (answer != 'S') {
      throw new IOException("PostgreSQL answered " + answer);
    }
  }

  /** Takes whatever a server shows, to look at it. */
  private static final class CertificateRecorder implements X509TrustManager {
    private X509Certificate seen;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {
      // Nobody asks.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {
      seen = chain[0];
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
