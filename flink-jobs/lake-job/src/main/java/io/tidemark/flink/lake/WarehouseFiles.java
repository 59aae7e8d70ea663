package io.tidemark.flink.lake;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.io.FileIO;

/**
 * Opens the files of a warehouse: on the local disk, or in an object store that speaks S3. The
 * scheme of the warehouse's URI decides.
 *
 * <p>Who may read and write an object store is not part of a job: the AWS SDK finds it, in {@code
 * AWS_ACCESS_KEY_ID} and its like or in the role of a pod.
 */
public final class WarehouseFiles {

  /** Address of an object store that is not Amazon's. */
  public static final String ENDPOINT = "TIDEMARK_S3_ENDPOINT";

  /**
   * Whether that store names buckets in paths, as most do; false for one that has hosts for them.
   */
  public static final String PATH_STYLE = "TIDEMARK_S3_PATH_STYLE";

  static final String EXPECTED = "a file: or s3: URI";

  static final Pattern WAREHOUSE =
      Pattern.compile("file:.+|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/.*)?");
  private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";

  private WarehouseFiles() {}

  /** Whether a text is the URI of a warehouse that can be opened. */
  public static boolean isWarehouse(String text) {
    return WAREHOUSE.matcher(text).matches();
  }

  /**
   * @param environment of the process
   * @throws IllegalArgumentException for a URI that is no warehouse
   */
  public static FileIO open(String warehouse, Map<String, String> environment) {
    if (!isWarehouse(warehouse)) {
      throw new IllegalArgumentException("'" + warehouse + "' is not " + EXPECTED);
    }
    String implementation = warehouse.startsWith("s3:") ? S3 : LocalFileIO.class.getName();
    return CatalogUtil.loadFileIO(implementation, properties(environment), null);
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
    return properties;
  }
}
