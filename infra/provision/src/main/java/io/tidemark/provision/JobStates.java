package io.tidemark.provision;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Where the cluster keeps savepoints and checkpoints. */
interface JobStates {
  /** Written last: a savepoint or checkpoint that has it is complete. */
  String METADATA = "_metadata";

  /** A savepoint or checkpoint that a job can start from. */
  record Found(String uri, Instant written) {}

  /** URI of a folder, as the cluster sees it. */
  String uri(String folder);

  /** All complete states in a folder and those below it. */
  List<Found> below(String folder) throws IOException;

  /**
   * @param root file: or s3: URI, without a slash at its end
   * @param environment how an object store is reached
   */
  static JobStates at(String root, Map<String, String> environment) {
    return root.startsWith("s3:")
        ? new OfObjectStore(URI.create(root), environment)
        : new OfFolder(Path.of(URI.create(root)));
  }

  /** States on this machine. */
  record OfFolder(Path root) implements JobStates {
    @Override
    public String uri(String folder) {
      return root.resolve(folder).toUri().toString();
    }

    @Override
    public List<Found> below(String folder) throws IOException {
      List<Found> states = new ArrayList<>();
      if (!Files.isDirectory(root.resolve(folder))) {
        return states;
      }
      try (Stream<Path> files =
          Files.find(
              root.resolve(folder),
              3,
              (path, attributes) -> path.getFileName().toString().equals(METADATA))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          states.add(
              new Found(
                  Objects.requireNonNull(file.getParent()).toUri().toString(),
                  Files.getLastModifiedTime(file).toInstant()));
        }
      }
      return states;
    }
  }

  /** States in a bucket. */
  record OfObjectStore(URI root, Map<String, String> environment) implements JobStates {
    @Override
    public String uri(String folder) {
      return root + "/" + folder;
    }

    @Override
    public List<Found> below(String folder) {
      String bucket = root.getHost();
      String prefix = URI.create(uri(folder)).getPath().substring(1) + "/";
      List<Found> states = new ArrayList<>();
      try (S3Client client = ObjectStoreClient.open(environment)) {
        for (S3Object object :
            client
                .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix))
                .contents()) {
          String key = object.key();
          if (key.endsWith("/" + METADATA)) {
            states.add(
                new Found(
                    "s3://" + bucket + "/" + key.substring(0, key.lastIndexOf('/')),
                    object.lastModified()));
          }
        }
      } catch (SdkException e) {
        throw ProvisionFailure.engine(
            "The states of jobs in s3://%s/%s cannot be listed: %s. Check TIDEMARK_FLINK_STORAGE, %s and the credentials; then provision again."
                .formatted(bucket, prefix, e.getMessage(), ObjectStoreClient.ENDPOINT),
            e);
      }
      return states;
    }
  }
}
