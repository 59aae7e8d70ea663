package io.tidemark.flink.model.usage;

/**
 * What used something: a metric of a resource in an environment.
 *
 * @param organizationId the tenant
 * @param environmentId of the tenant
 * @param resourceType empty, with the two below, for use that belongs to no metric
 * @param resourceId as rollup rows name it
 * @param metric as sent
 */
public record UsageSubject(
    String organizationId,
    String environmentId,
    String resourceType,
    String resourceId,
    String metric) {

  /** The subject of what belongs to no metric of the environment. */
  public static UsageSubject ofEnvironment(String organizationId, String environmentId) {
    return new UsageSubject(organizationId, environmentId, "", "", "");
  }
}
