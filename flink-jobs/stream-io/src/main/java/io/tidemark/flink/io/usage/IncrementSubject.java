package io.tidemark.flink.io.usage;

import io.tidemark.contracts.usage.v1.UsageIncrement;
import io.tidemark.flink.model.usage.UsageSubject;

/**
 * A subject as all its increments name it: made once, and copied into each.
 *
 * @param environment the key of their records
 * @param bytes the members that name it
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
public record IncrementSubject(String environment, byte[] bytes) {

  public static IncrementSubject of(UsageSubject subject) {
    return new IncrementSubject(
        subject.organizationId() + "/" + subject.environmentId(),
        UsageIncrement.newBuilder()
            .setOrganizationId(subject.organizationId())
            .setEnvironmentId(subject.environmentId())
            .setResourceType(subject.resourceType())
            .setResourceId(subject.resourceId())
            .setMetric(subject.metric())
            .build()
            .toByteArray());
  }
}
