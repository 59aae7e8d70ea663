package io.tidemark.platform.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks that answers as told, and 204 after that. */
public final class WebhookReceiver implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** A request as it came. */
  public record Message(String body, Map<String, List<String>> headers) {
    public String id() {
      return headers.get("Webhook-id").get(0);
    }

    public JsonNode data() {
      return JSON.readTree(body).path("data");
    }
  }

  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  public WebhookReceiver(Integer... answers) throws IOException {
    this.answers.addAll(List.of(answers));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          messages.add(new Message(body, Map.copyOf(exchange.getRequestHeaders())));
          Integer answer = this.answers.poll();
          if (answer != null && answer / 100 == 3) {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
          }
          exchange.sendResponseHeaders(answer == null ? 204 : answer, -1);
          exchange.close();
        });
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  /** Those that came, at least so many. */
  public List<Message> messages(int least) {
    return InterruptibleDelay.until(
        least + " messages",
        PATIENCE,
        () -> Optional.of(List.copyOf(messages)),
        received -> received.size() >= least);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
