package io.tidemark.flink.model.series;

import java.util.Map;

/**
 * Everything that names a series.
 *
 * @param organizationId the tenant
 * @param environmentId the tenant's environment
 * @param metric the metric name as sent, never empty
 * @param kind what the series measures
 * @param unit UCUM unit as sent; empty when the sender gave none
 * @param resource resource attributes as text; of attributes sent twice the last counts
 * @param attributes point attributes as text; of attributes sent twice the last counts
 */
public record SeriesDescriptor(
    String organizationId,
    String environmentId,
    String metric,
    MetricKind kind,
    String unit,
    Map<String, String> resource,
    Map<String, String> attributes) {

  public static final String RESOURCE_TYPE = "tidemark.resource.type";
  public static final String RESOURCE_ID = "tidemark.resource.id";
  public static final String RESOURCE_PREFIX = "tidemark.resource.";
  public static final String UNKNOWN = "unknown";
  private static final String SERVICE_NAME = "service.name";

  /**
   * {@code tidemark.resource.type} when type and id are both sent, else by {@code service.name}.
   */
  public String resourceType() {
    if (isNamedResource()) {
      return resource.getOrDefault(RESOURCE_TYPE, UNKNOWN);
    }
    return isPresent(SERVICE_NAME) ? "service" : UNKNOWN;
  }

  /** The id that belongs to {@link #resourceType()}. */
  public String resourceId() {
    if (isNamedResource()) {
      return resource.getOrDefault(RESOURCE_ID, UNKNOWN);
    }
    return isPresent(SERVICE_NAME) ? resource.getOrDefault(SERVICE_NAME, UNKNOWN) : UNKNOWN;
  }

  private boolean isNamedResource() {
    return isPresent(RESOURCE_TYPE) && isPresent(RESOURCE_ID);
  }

  private boolean isPresent(String attribute) {
    String value = resource.get(attribute);
    return value != null && !value.isEmpty();
  }
}
