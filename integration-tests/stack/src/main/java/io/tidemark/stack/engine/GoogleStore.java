package io.tidemark.stack.engine;

import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An object store that speaks the JSON API of Google Cloud Storage and asks for no credentials:
 * fake-gcs-server over a folder, whose folders are its buckets. It holds the lake alone.
 */
final class GoogleStore {
  private final StackSettings settings;

  GoogleStore(StackSettings settings) {
    this.settings = settings;
  }

  ProcessSpec spec() {
    Path program = settings.tool("fake-gcs-server");
    if (!Files.isExecutable(program) || !Files.isDirectory(bundles(settings))) {
      throw new StackFailure(
          "Google's object store is not there yet. Run `make google-store`, or unset"
              + " TIDEMARK_STORAGE.");
    }
    String url = "http://" + settings.ports().address(ObjectStore.ID);
    Path folder = settings.data(ObjectStore.ID);
    return new ProcessSpec(
        ObjectStore.ID,
        List.of(
            program.toString(),
            "-scheme",
            "http",
            "-host",
            "127.0.0.1",
            "-port",
            Integer.toString(settings.ports().of(ObjectStore.ID)),
            "-external-url",
            url,
            "-filesystem-root",
            folder.toString(),
            "-log-level",
            "warn"),
        Map.of(),
        List.of(program),
        List.of(),
        Map.of(ObjectStore.ID, settings.ports().of(ObjectStore.ID)),
        () -> Folders.create(folder.resolve(StackSettings.bucket("iceberg"))),
        () -> isReady(url),
        () -> {},
        Duration.ofSeconds(30),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  /** What processes need to use it. */
  static Map<String, String> environment(StackSettings settings, String address) {
    return Map.of(
        "TIDEMARK_LAKE_BUNDLES",
        bundles(settings).toString(),
        "TIDEMARK_LAKE_FILE_IO",
        "gcs.project-id=tidemark,gcs.no-auth=true,gcs.service.host=http://" + address);
  }

  private static Path bundles(StackSettings settings) {
    return settings.tool("google-store");
  }

  private static boolean isReady(String url) throws IOException, InterruptedException {
    return new JsonHttp().get(url + "/storage/v1/b/" + StackSettings.bucket("iceberg")).ok();
  }
}
