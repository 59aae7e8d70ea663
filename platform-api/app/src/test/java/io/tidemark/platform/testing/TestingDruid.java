package io.tidemark.platform.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server that answers native queries as told. That real Druid agrees is shown end to end. */
public final class TestingDruid implements AutoCloseable {

  private record Answer(int status, String body) {}

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final List<String> queries = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private volatile Function<String, Answer> answering = query -> new Answer(200, "[]");

  public TestingDruid() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    server.createContext(
        "/druid/v2/",
        exchange -> {
          if (exchange.getRequestMethod().equals("DELETE")) {
            ended.add(exchange.getRequestURI().getPath().substring("/druid/v2/".length()));
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
            return;
          }
          String query =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          queries.add(query);
          Answer now = answering.apply(query);
          byte[] body = now.body().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(now.status(), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.setExecutor(executor);
    server.start();
  }

  /** Base URL. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Bodies of the queries so far. */
  public List<String> queries() {
    return queries;
  }

  /** Names of the queries that were to be ended. */
  public List<String> ended() {
    return ended;
  }

  /** From now on every query has this answer. */
  public void answerWith(int status, String body) {
    answering = query -> new Answer(status, body);
  }

  /** From now on queries are answered with what these rows say. */
  public void answerFrom(TestingDruidRows rows) {
    answering =
        query -> {
          try {
            return new Answer(200, rows.answer(query));
          } catch (RuntimeException unknown) {
            return new Answer(500, "{\"error\":\"" + unknown + "\"}");
          }
        };
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
