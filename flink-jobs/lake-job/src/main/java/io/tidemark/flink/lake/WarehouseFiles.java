package io.tidemark.flink.lake;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.io.FileIO;

/**
 * Opens the files of a warehouse: on the local disk, in an object store that speaks S3, in Google's
 * or in Azure's. The scheme of the warehouse's URI decides.
 *
 * <p>Who may read and write an object store is not part of a job: the SDK of the store finds it, in
 * {@code AWS_ACCESS_KEY_ID} and its like or in the role of a pod.
 */
public final class WarehouseFiles {

  /** Address of an object store that speaks S3 and is not Amazon's. */
  public static final String ENDPOINT = "TIDEMARK_S3_ENDPOINT";

  /**
   * Whether that store names buckets in paths, as most do; false for one that has hosts for them.
   */
  public static final String PATH_STYLE = "TIDEMARK_S3_PATH_STYLE";

  /** Folder with the jars that Google's and Azure's stores need; they are not built in. */
  public static final String BUNDLES = "TIDEMARK_LAKE_BUNDLES";

  /** Further properties of Iceberg's FileIO: name=value, separated by commas. */
  public static final String PROPERTIES = "TIDEMARK_LAKE_FILE_IO";

  static final String EXPECTED = "a file:, s3:, gs: or abfss: URI";

  /** What {@link #open} takes. */
  public static final Pattern WAREHOUSE =
      Pattern.compile(
          "file:.+"
              + "|(s3|gs)://[a-z0-9][a-z0-9._-]{1,61}[a-z0-9](/.*)?"
              + "|abfss?://[a-z0-9-]+@[a-z0-9.-]+(/.*)?");

  private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";

  /** A store whose classes come from a folder. */
  private enum Bundled {
    GOOGLE("org.apache.iceberg.gcp.gcs.GCSFileIO", "iceberg-gcp and iceberg-gcp-bundle"),
    AZURE("org.apache.iceberg.azure.adlsv2.ADLSFileIO", "iceberg-azure and iceberg-azure-bundle");

    private final String files;
    private final String jars;

    Bundled(String files, String jars) {
      this.files = files;
      this.jars = jars;
    }
  }

  private static final Map<String, ClassLoader> LOADED = new ConcurrentHashMap<>();

  private WarehouseFiles() {}

  /** Whether a text is the URI of a warehouse that can be opened. */
  public static boolean isWarehouse(String text) {
    return WAREHOUSE.matcher(text).matches();
  }

  /**
   * @param environment of the process
   * @throws IllegalArgumentException for a URI that is no warehouse, or whose jars are not there
   */
  public static FileIO open(String warehouse, Map<String, String> environment) {
    return open(warehouse, environment, Map.of());
  }

  /**
   * @param given what the catalog says of the store, such as credentials for a table's folder
   */
  static FileIO open(String warehouse, Map<String, String> environment, Map<String, String> given) {
    if (!isWarehouse(warehouse)) {
      throw new IllegalArgumentException("'" + warehouse + "' is not " + EXPECTED);
    }
    Map<String, String> properties = new LinkedHashMap<>(given);
    properties.putAll(properties(environment));
    return switch (warehouse.substring(0, warehouse.indexOf(':'))) {
      case "file" -> CatalogUtil.loadFileIO(LocalFileIO.class.getName(), properties, null);
      case "s3" -> CatalogUtil.loadFileIO(S3, properties, null);
      case "gs" -> bundled(Bundled.GOOGLE, environment, properties);
      default -> bundled(Bundled.AZURE, environment, properties);
    };
  }

  static Map<String, String> properties(Map<String, String> environment) {
    Map<String, String> properties = new LinkedHashMap<>();
    // Clients of S3 alone: the other factory wants the SDK's classes of every service.
    properties.put(
        "s3.client-factory-impl", "org.apache.iceberg.aws.s3.DefaultS3FileIOAwsClientFactory");
    properties.put("http-client.type", "urlconnection");
    String endpoint = environment.getOrDefault(ENDPOINT, "");
    if (!endpoint.isEmpty()) {
      properties.put("s3.endpoint", endpoint);
      properties.put("s3.path-style-access", environment.getOrDefault(PATH_STYLE, "true"));
    }
    properties.putAll(pairs(PROPERTIES, environment));
    return properties;
  }

  /**
   * @param variable of the environment: name=value, separated by commas
   * @throws IllegalArgumentException for anything else
   */
  static Map<String, String> pairs(String variable, Map<String, String> environment) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : environment.getOrDefault(variable, "").split(",")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
      } else if (!pair.isBlank()) {
        throw new IllegalArgumentException(
            variable + " has '" + pair + "', expected name=value, separated by commas");
      }
    }
    return pairs;
  }

  private static FileIO bundled(
      Bundled store, Map<String, String> environment, Map<String, String> properties) {
    String folder = environment.getOrDefault(BUNDLES, "");
    try {
      ClassLoader classes =
          folder.isEmpty()
              ? WarehouseFiles.class.getClassLoader()
              : LOADED.computeIfAbsent(folder, WarehouseFiles::load);
      FileIO files = (FileIO) classes.loadClass(store.files).getDeclaredConstructor().newInstance();
      files.initialize(properties);
      return files;
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException(
          "There are no classes for this warehouse: put the jars "
              + store.jars
              + ", of the version of Iceberg that the lake has, into the folder that "
              + BUNDLES
              + " names ("
              + (folder.isEmpty() ? "it is not set" : folder)
              + ")",
          e);
    }
  }

  private static ClassLoader load(String folder) {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      URL[] urls = new URL[jars.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = jars.get(i).toUri().toURL();
      }
      return new URLClassLoader(urls, WarehouseFiles.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          BUNDLES + " names the folder " + folder + ", which cannot be read", e);
    }
  }
}
