package io.tidemark.pipeline.support;

import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** HAProxy before two regions, with the configuration of infra/proxy. */
public final class RegionProxy implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(3))
          .build();
  private final Process process;
  private final Path socket;
  private final String url;

  public RegionProxy(StackSettings first, StackSettings second, Path folder) throws Exception {
    Files.createDirectories(folder);
    // A path of a socket has a hundred characters at most.
    socket = Files.createTempDirectory("regions").resolve("socket");
    String bind;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      bind = "127.0.0.1:" + free.getLocalPort();
    }
    url = "http://" + bind;
    Path tool = first.tool("haproxy");
    ProcessBuilder builder =
        new ProcessBuilder(
                tool.resolve("usr/sbin/haproxy").toString(),
                "-db",
                "-f",
                first.infra("proxy/two-regions.cfg").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile());
    builder.environment().put("LD_LIBRARY_PATH", tool + "/usr/lib/x86_64-linux-gnu");
    builder.environment().put("TIDEMARK_REGIONS_BIND", bind);
    builder.environment().put("TIDEMARK_REGIONS_SOCKET", socket.toString());
    builder.environment().put("TIDEMARK_REGION_FIRST", first.ports().address("platform-api"));
    builder.environment().put("TIDEMARK_REGION_SECOND", second.ports().address("platform-api"));
    process = builder.start();
    Await.until(
        "the proxy serves",
        Duration.ofSeconds(30),
        () -> new JsonHttp().get(url + "/readyz").ok(),
        ok -> ok);
  }

  public String url() {
    return url;
  }

  /** Which region answers a query, with its status: "first 200". */
  public String answering(String authorization, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(url + "/v2/metrics/cloud/query"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Authorization", authorization)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.headers().firstValue("Tidemark-Region").orElse("none")
        + " "
        + answer.statusCode();
  }

  /** Takes the first region out of queries, or lets it in again: {@code maint} or {@code ready}. */
  public void first(String state) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap(
              ("set server queries/first state " + state + "\n")
                  .getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(1024);
      channel.read(answer);
      String text = new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
      if (!text.isBlank()) {
        throw new IOException("the proxy answered " + text);
      }
    }
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    process.waitFor();
  }
}
