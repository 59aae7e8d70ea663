package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.StoreRow;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to a server that ends its answers some time after it has said all, as Druid does. */
class DruidConnectionTest {

  private static final int PAUSE_MS = 200;
  private static final int AT_A_TIME = 8;

  private final AtomicInteger connections = new AtomicInteger();
  private ServerSocket server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread accepting = new Thread(this::accept, "accepting");
    accepting.setDaemon(true);
    accepting.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread answering = new Thread(() -> answer(socket), "answering");
        answering.setDaemon(true);
        answering.start();
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void answer(Socket accepted) {
    try (Socket socket = accepted) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (read(in)) {
        out.write(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        // Whoever goes now does not wait for the end.
        socket.setSoTimeout(PAUSE_MS);
        in.mark(1);
        try {
          if (in.read() < 0) {
            return;
          }
          in.reset();
        } catch (SocketTimeoutException stillThere) {
          // As it should be.
        }
        socket.setSoTimeout(0);
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    } catch (IOException gone) {
      // The client ended the connection, which the number of connections tells.
    }
  }

  /** One request; false at the end of the connection. */
  private static boolean read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    String lines = head.toString().toLowerCase(java.util.Locale.ROOT);
    int at = lines.indexOf("content-length:") + "content-length:".length();
    in.readNBytes(Integer.parseInt(lines.substring(at, lines.indexOf('\r', at)).trim()));
    return true;
  }

  private DruidBroker broker() {
    return new DruidBroker(
        new DruidHttp(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
            URI.create("http://127.0.0.1:" + server.getLocalPort()),
            Duration.ofSeconds(20)),
        (organization, source) -> Optional.empty(),
        DatasourcePlacements.NONE,
        () -> "id",
        3);
  }

  @Test
  void anAnswerIsReadToItsEndSoThatTheNextQueryFindsTheConnection() {
    DruidBroker broker = broker();
    for (int i = 0; i < 3; i++) {
      assertThat(broker.run(DruidBrokerTest.TENANT, DruidBrokerTest.query())).isEmpty();
    }
    assertThat(connections).hasValue(1);
  }

  @Test
  void connectionsOfQueriesAskedAtTheSameTimeAreKept() throws Exception {
    DruidBroker broker = broker();
    ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      for (int turn = 0; turn < 3; turn++) {
        List<Callable<List<StoreRow>>> queries =
            Collections.nCopies(
                AT_A_TIME, () -> broker.run(DruidBrokerTest.TENANT, DruidBrokerTest.query()));
        for (Future<List<StoreRow>> answer : threads.invokeAll(queries)) {
          assertThat(answer.get()).isEmpty();
        }
      }
    } finally {
      threads.shutdownNow();
    }
    // Fewer where one found the connection of another that had ended.
    assertThat(connections.get()).isBetween(1, AT_A_TIME);
  }
}
