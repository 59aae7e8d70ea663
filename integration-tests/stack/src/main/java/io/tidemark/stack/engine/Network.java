package io.tidemark.stack.engine;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Toxiproxy between components: one proxy for each link, without faults until a test adds some. */
final class Network {
  static final String ID = "network";

  private final StackSettings settings;
  private final JsonHttp http = new JsonHttp();

  Network(StackSettings settings) {
    this.settings = settings;
  }

  ProcessSpec spec() {
    Path program = settings.tool("toxiproxy");
    if (!Files.isExecutable(program)) {
      throw new StackFailure(
          "The proxy between components is not built yet. Run `make toxiproxy`, or unset"
              + " TIDEMARK_LINKS.");
    }
    Path configuration = settings.data(ID).resolve("links.json");
    return new ProcessSpec(
        ID,
        List.of(
            program.toString(),
            "-host",
            "127.0.0.1",
            "-port",
            Integer.toString(settings.ports().of(ID)),
            "-config",
            configuration.toString()),
        // Each start and end of a connection is a line otherwise.
        Map.of("LOG_LEVEL", "error"),
        List.of(program),
        List.of(),
        ports(),
        () -> prepare(configuration),
        () -> http.get("http://" + settings.ports().address(ID) + "/version").ok(),
        () -> {},
        Duration.ofSeconds(30),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  private Map<String, Integer> ports() {
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put(ID, settings.ports().of(ID));
    links().forEach(link -> ports.put(link.id(), settings.ports().of(link.id())));
    return ports;
  }

  private List<Link> links() {
    List<Link> links = new ArrayList<>(List.of(Link.values()));
    if (settings.storage() == StackSettings.Storage.LOCAL) {
      links.removeAll(Link.to(ObjectStore.ID));
    }
    return links;
  }

  private void prepare(Path configuration) throws IOException {
    Folders.create(settings.data(ID));
    ArrayNode proxies = JsonHttp.JSON.createArrayNode();
    for (Link link : links()) {
      proxies
          .addObject()
          .put("name", link.id())
          .put("listen", settings.ports().address(link.id()))
          .put("upstream", settings.ports().address(link.serverPort()))
          .put("enabled", true);
    }
    Files.writeString(configuration, proxies.toString());
  }
}
