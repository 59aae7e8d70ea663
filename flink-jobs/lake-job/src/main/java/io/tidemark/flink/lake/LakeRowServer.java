package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Command: serves rows of the lake's rollup tables over HTTP, as the rollup topics carry them, to
 * whoever fills a store again. It serves all tenants' rows: everything needs the password that it
 * was started with. It ends when its standard input does.
 *
 * <pre>
 * POST /tables/{table}/pin             pins what the table holds: snapshot, offsets, parts
 * POST /tables/{table}/stored          rows of the topic in; ids of those panes that are pinned out
 * GET  /tables/{table}/rows/{day}/{bucket}   the rows of a part
 * POST /tables/{table}/release         lets the snapshot go
 * </pre>
 */
public final class LakeRowServer implements AutoCloseable {

  static final String PASSWORD = "TIDEMARK_LAKE_ROWS_PASSWORD";
  static final String USER = "lake-rows";
  private static final String NAMESPACE = "telemetry";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Catalog catalog;
  private final Map<String, PinnedTable> pinned = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  /**
   * @param address on which it listens; port 0 for any
   */
  LakeRowServer(Catalog catalog, InetSocketAddress address, String password) throws IOException {
    this.catalog = catalog;
    byte[] expected = password.getBytes(UTF_8);
    server = HttpServer.create(address, 0);
    server.setExecutor(threads);
    server
        .createContext("/tables/", this::handle)
        .setAuthenticator(
            new BasicAuthenticator("lake-rows") {
              @Override
              public boolean checkCredentials(String user, String given) {
                return user.equals(USER) && MessageDigest.isEqual(expected, given.getBytes(UTF_8));
              }
            });
    server.start();
  }

  /**
   * Arguments: {@code --catalog.uri}, {@code --catalog.user}, {@code --warehouse}, {@code --host}.
   * Prints the port.
   */
  public static void main(String[] arguments) throws Exception {
    System.exit(run(System.getenv(), System.in, System.out, System.err, arguments));
  }

  static int run(
      Map<String, String> environment,
      InputStream in,
      PrintStream out,
      PrintStream err,
      String... arguments)
      throws IOException {
    LakeRowServerConfig config;
    try {
      config = LakeRowServerConfig.parse(environment, arguments);
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return LakeTables.WRONG_ARGUMENTS;
    }
    try (LakeCatalog catalog = config.access().open();
        LakeRowServer server =
            new LakeRowServer(
                catalog,
                new InetSocketAddress(InetAddress.getByName(config.host()), 0),
                config.password())) {
      out.println(server.port());
      out.flush();
      in.transferTo(OutputStream.nullOutputStream());
      return LakeTables.DONE;
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().split("/");
      String what = exchange.getRequestMethod() + " " + (path.length > 3 ? path[3] : "");
      try {
        switch (what) {
          case "POST pin" -> answer(exchange, 200, pin(path[2]).toString().getBytes(UTF_8));
          case "POST stored" -> {
            Set<String> stored = of(path[2]).stored(exchange.getRequestBody().readAllBytes());
            answer(exchange, 200, String.join("\n", stored).getBytes(UTF_8));
          }
          case "GET rows" -> {
            PinnedTable table = of(path[2]);
            PinnedTable.Part part =
                new PinnedTable.Part(LocalDate.parse(path[4]), Integer.parseInt(path[5]));
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body =
                new BufferedOutputStream(exchange.getResponseBody(), 1 << 16)) {
              table.write(part, body);
            }
          }
          case "POST release" -> {
            PinnedTable table = pinned.remove(path[2]);
            if (table != null) {
              table.release();
            }
            answer(exchange, 200, new byte[0]);
          }
          default -> answer(exchange, 404, "There is no such resource".getBytes(UTF_8));
        }
      } catch (RuntimeException e) {
        if (exchange.getResponseCode() >= 0) {
          // The body has begun: it ends unfinished, which its reader notices.
          throw e;
        }
        answer(exchange, 500, String.valueOf(e.getMessage()).getBytes(UTF_8));
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private ObjectNode pin(String name) throws IOException {
    PinnedTable table = PinnedTable.pin(catalog.loadTable(TableIdentifier.of(NAMESPACE, name)));
    pinned.put(name, table);
    ObjectNode answer = JSON.createObjectNode().put("snapshot", table.snapshot());
    ObjectNode offsets = answer.putObject("offsets");
    table.offsets().forEach((partition, next) -> offsets.put(Integer.toString(partition), next));
    ArrayNode parts = answer.putArray("parts");
    for (PinnedTable.Part part : table.parts()) {
      parts
          .addObject()
          .put("day", part.day().toString())
          .put("bucket", part.bucket())
          .put("rows", table.rows(part));
    }
    return answer;
  }

  private PinnedTable of(String name) {
    PinnedTable table = pinned.get(name);
    if (table == null) {
      throw new IllegalStateException(name + " is not pinned");
    }
    return table;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
