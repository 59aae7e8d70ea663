package io.tidemark.provision;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Opens clients of object stores from the variables that the product's own processes read. */
public final class ObjectStoreClient {
  /** Address of a store that is not Amazon's. */
  public static final String ENDPOINT = "TIDEMARK_S3_ENDPOINT";

  private static final String REGION = "AWS_REGION";
  private static final String ACCESS_KEY = "AWS_ACCESS_KEY_ID";
  private static final String SECRET_KEY = "AWS_SECRET_ACCESS_KEY";

  private ObjectStoreClient() {}

  /** What a process needs in its environment to use a store. */
  public static Map<String, String> environment(
      String endpoint, String accessKey, String secretKey) {
    return Map.of(
        ENDPOINT, endpoint, REGION, "us-east-1", ACCESS_KEY, accessKey, SECRET_KEY, secretKey);
  }

  /** Where the environment names no key, the AWS SDK looks for a role of the machine or pod. */
  public static S3Client open(Map<String, String> environment) {
    S3ClientBuilder client = S3Client.builder().httpClient(UrlConnectionHttpClient.create());
    if (environment.containsKey(REGION)) {
      client.region(Region.of(environment.get(REGION)));
    }
    if (environment.containsKey(ACCESS_KEY)) {
      client.credentialsProvider(
          StaticCredentialsProvider.create(
              AwsBasicCredentials.create(
                  environment.get(ACCESS_KEY), environment.get(SECRET_KEY))));
    }
    String endpoint = environment.getOrDefault(ENDPOINT, "");
    if (!endpoint.isEmpty()) {
      client.endpointOverride(URI.create(endpoint)).forcePathStyle(true);
    }
    return client.build();
  }
}
