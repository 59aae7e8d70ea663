package io.tidemark.platform.metricstore.iceberg;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.io.FileIO;

/**
 * The files of a warehouse, as the scheme of its URI says. Google's and Azure's stores are not
 * built in: their classes come from a folder.
 */
final class WarehouseFiles {

  private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";
  private static final String S3_CLIENTS =
      "org.apache.iceberg.aws.s3.DefaultS3FileIOAwsClientFactory";
  private static final String GOOGLE = "org.apache.iceberg.gcp.gcs.GCSFileIO";
  private static final String AZURE = "org.apache.iceberg.azure.adlsv2.ADLSFileIO";

  private static final Map<String, ClassLoader> LOADED = new ConcurrentHashMap<>();

  private WarehouseFiles() {}

  /**
   * @param given what the catalog says of the store; ours goes before it
   * @throws IllegalStateException the classes that the store needs are not there
   */
  static FileIO open(String warehouse, LakeCatalog.StoreAccess access, Map<String, String> given) {
    return switch (warehouse.substring(0, warehouse.indexOf(':'))) {
      case "file" -> new LocalFiles();
      case "s3" -> CatalogUtil.loadFileIO(S3, s3(access, given), null);
      case "gs" -> bundled(GOOGLE, "iceberg-gcp and iceberg-gcp-bundle", access, given);
      default -> bundled(AZURE, "iceberg-azure and iceberg-azure-bundle", access, given);
    };
  }

  private static Map<String, String> s3(LakeCatalog.StoreAccess access, Map<String, String> given) {
    Map<String, String> properties = new HashMap<>(given);
    // Clients of S3 alone: the other factory wants the SDK's classes of every service.
    properties.put("s3.client-factory-impl", S3_CLIENTS);
    properties.put("http-client.type", "urlconnection");
    if (!access.s3Endpoint().isEmpty()) {
      properties.put("s3.endpoint", access.s3Endpoint());
      properties.put("s3.path-style-access", Boolean.toString(access.s3PathStyle()));
    }
    properties.putAll(access.fileIo());
    return properties;
  }

  private static FileIO bundled(
      String files, String jars, LakeCatalog.StoreAccess access, Map<String, String> given) {
    Map<String, String> properties = new HashMap<>(given);
    properties.putAll(access.fileIo());
    try {
      FileIO opened =
          (FileIO)
              classes(access.bundles()).loadClass(files).getDeclaredConstructor().newInstance();
      opened.initialize(properties);
      return opened;
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException(
          "There are no classes for the lake's warehouse: put the jars "
              + jars
              + ", of the version of Iceberg that the lake has, into the folder that"
              + " TIDEMARK_LAKE_BUNDLES names ("
              + (access.bundles().isEmpty() ? "it is not set" : access.bundles())
              + ")",
          e);
    }
  }

  /** One for each folder: a catalog may have files opened anew for every table. */
  private static ClassLoader classes(String folder) {
    return LOADED.computeIfAbsent(folder, WarehouseFiles::load);
  }

  private static ClassLoader load(String folder) {
    File[] jars = new File(folder).listFiles((in, name) -> name.endsWith(".jar"));
    URL[] urls = new URL[jars == null ? 0 : jars.length];
    try {
      for (int i = 0; i < urls.length; i++) {
        urls[i] = jars[i].toURI().toURL();
      }
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
    return new URLClassLoader(urls, WarehouseFiles.class.getClassLoader());
  }
}
