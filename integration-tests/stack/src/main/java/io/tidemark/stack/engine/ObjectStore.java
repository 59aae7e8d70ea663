package io.tidemark.stack.engine;

import io.tidemark.provision.ObjectStoreClient;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/**
 * An object store that speaks S3: Versity's gateway over a folder, in whose extended attributes it
 * keeps what S3 knows of an object.
 */
final class ObjectStore {
  static final String ID = "object-store";

  private static final List<String> COMPONENTS = List.of("flink", "iceberg");

  private final StackSettings settings;
  private final StackIdentity identity;

  ObjectStore(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
  }

  ProcessSpec spec() {
    Path program = settings.tool("versitygw");
    if (!Files.isExecutable(program)) {
      throw new StackFailure(
          "The object store is not built yet. Run `make object-store`, or unset TIDEMARK_STORAGE.");
    }
    Path folder = settings.data(ID);
    return new ProcessSpec(
        ID,
        List.of(
            program.toString(),
            "--port",
            settings.ports().address(ID),
            "--quiet",
            "posix",
            folder.toString()),
        Map.of(
            "ROOT_ACCESS_KEY",
            identity.get("TIDEMARK_S3_ACCESS_KEY"),
            "ROOT_SECRET_KEY",
            identity.get("TIDEMARK_S3_SECRET_KEY")),
        List.of(program),
        List.of(),
        Map.of(ID, settings.ports().of(ID)),
        () -> Folders.create(folder),
        this::isReady,
        this::createBuckets,
        Duration.ofSeconds(30),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  /** What processes need to use it; nothing where the stack keeps its data in folders. */
  static Map<String, String> environment(
      StackSettings settings, StackIdentity identity, String address) {
    return switch (settings.storage()) {
      case LOCAL -> Map.of();
      case GCS -> GoogleStore.environment(settings, address);
      case AZURE -> AzureStore.environment(settings, identity, address);
      case S3 ->
          ObjectStoreClient.environment(
              "http://" + address,
              identity.get("TIDEMARK_S3_ACCESS_KEY"),
              identity.get("TIDEMARK_S3_SECRET_KEY"));
    };
  }

  private Map<String, String> own() {
    return environment(settings, identity, settings.ports().address(ID));
  }

  private boolean isReady() {
    try (S3Client client = ObjectStoreClient.open(own())) {
      client.listBuckets();
      return true;
    }
  }

  private void createBuckets() {
    try (S3Client client = ObjectStoreClient.open(own())) {
      List<String> present = client.listBuckets().buckets().stream().map(Bucket::name).toList();
      for (String component : COMPONENTS) {
        String bucket = StackSettings.bucket(component);
        if (!present.contains(bucket)) {
          client.createBucket(request -> request.bucket(bucket));
        }
      }
    }
  }
}
