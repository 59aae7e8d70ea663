package io.tidemark.pipeline.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.stack.Link;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** In place of the object store something answers that takes the word of S3 for "not now": 503. */
final class RefusingStore implements Fault {
  private static final byte[] SLOW_DOWN =
      "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
          .getBytes(UTF_8);

  private final LinkProxy proxy;
  private final Map<Link, String> before = new LinkedHashMap<>();
  private HttpServer server;

  RefusingStore(LinkProxy proxy) {
    this.proxy = proxy;
  }

  @Override
  public void strike() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/xml");
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(503, isHead ? -1 : SLOW_DOWN.length);
            if (!isHead) {
              exchange.getResponseBody().write(SLOW_DOWN);
            }
          }
        });
    server.start();
    String address = "127.0.0.1:" + server.getAddress().getPort();
    for (Link link : Link.to("object-store")) {
      before.put(link, proxy.lead(link.id(), address));
    }
  }

  @Override
  public void heal() throws Exception {
    for (Map.Entry<Link, String> link : before.entrySet()) {
      proxy.lead(link.getKey().id(), link.getValue());
    }
    server.stop(0);
  }
}
