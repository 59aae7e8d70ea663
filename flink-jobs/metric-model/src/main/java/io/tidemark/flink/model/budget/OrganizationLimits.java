package io.tidemark.flink.model.budget;

import java.io.Serializable;

/**
 * Limits of all environments of an organisation together. Memory and columns are shared by all
 * tenants, so only an operator sets these.
 *
 * @param activeSeries sum over environments, whatever each of them may have
 * @param labelKeys different names of point and resource attributes; each is a column
 * @param labelKeysPerEnvironment of which one environment may have
 */
public record OrganizationLimits(long activeSeries, int labelKeys, int labelKeysPerEnvironment)
    implements Serializable {

  public OrganizationLimits {
    if (activeSeries < 1 || labelKeysPerEnvironment < 1 || labelKeys < labelKeysPerEnvironment) {
      throw new IllegalArgumentException(
          "Limits are positive, and an organisation has as many label keys as an environment: "
              + activeSeries
              + ", "
              + labelKeys
              + ", "
              + labelKeysPerEnvironment);
    }
  }
}
