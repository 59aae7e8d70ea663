package io.tidemark.pipeline.alerts;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes webhooks on this machine, and verifies them with the reference library. */
public final class WebhookReceiver implements AutoCloseable {

  /**
   * A message as it came.
   *
   * @param at {@code System.nanoTime()} when its headers were there
   */
  public record Received(String id, String body, Map<String, List<String>> headers, long at) {

    /**
     * @throws Exception when the signature is not of this body, time and secret
     */
    void verify(String secret) throws Exception {
      new Webhook(secret).verify(body, HttpHeaders.of(headers, (name, value) -> true));
    }
  }

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final List<Received> refused = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final List<String> unverified = new CopyOnWriteArrayList<>();
  private volatile boolean isBroken;
  private volatile String secret = "";

  public WebhookReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    long at = System.nanoTime();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Received message =
        new Received(
            exchange.getRequestHeaders().getFirst("webhook-id"),
            body,
            Map.copyOf(exchange.getRequestHeaders()),
            at);
    verify(message);
    if (isBroken) {
      refused.add(message);
      if (refused.size() % 2 == 0) {
        exchange.sendResponseHeaders(503, -1);
      }
      // Otherwise the connection ends without an answer.
    } else {
      received.add(message);
      exchange.sendResponseHeaders(204, -1);
    }
    exchange.close();
  }

  private void verify(Received message) {
    if (!secret.isEmpty()) {
      try {
        message.verify(secret);
      } catch (Exception wrong) {
        unverified.add(message + ": " + wrong);
      }
    }
  }

  /** From now on verifies each message when it comes: signatures are of a time. */
  void verifyWith(String ofIntegration) {
    secret = ofIntegration;
  }

  /** Messages whose signature is wrong. */
  List<String> unverified() {
    return List.copyOf(unverified);
  }

  /** From now on refuses what comes, or hangs up, until it is repaired. */
  void breakDown() {
    isBroken = true;
  }

  void repair() {
    isBroken = false;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  /** What was taken, in the order in which it came. */
  public List<Received> received() {
    return List.copyOf(received);
  }

  /** What was refused or not answered. */
  public List<Received> refused() {
    return List.copyOf(refused);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
