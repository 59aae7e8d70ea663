package io.tidemark.platform.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class AuditChainTest {

  private static AuditEntry entry(String objectType, String objectId, String after) {
    return new AuditEntry(
        "org-a",
        7,
        Instant.parse("2026-01-02T03:04:05.000006Z"),
        new Actor("api_key", "KEY", "192.0.2.1"),
        "environment.rename",
        objectType,
        objectId,
        true,
        null,
        "{\"a\":1}",
        after,
        AuditChain.BEGINNING,
        null);
  }

  /** Computed with another implementation of the contract's words; it may never change. */
  @Test
  void theHashIsTheOneOfTheContract() {
    assertThat(AuditChain.hash(entry("environment", "env-ä", "{\"a\":2}")))
        .isEqualTo("41a798a419a8df931aad8dec1cb54d5a6750b4dc402134b7495a1e51d491e862");
  }

  @Test
  void noOtherDivisionIntoFieldsHasTheSameHash() {
    assertThat(AuditChain.hash(entry("environment", "a", null)))
        .isNotEqualTo(AuditChain.hash(entry("environmen", "ta", null)))
        .isNotEqualTo(AuditChain.hash(entry("environment", "a", "")));
  }
}
