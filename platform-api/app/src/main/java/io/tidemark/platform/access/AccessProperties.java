package io.tidemark.platform.access;

import io.tidemark.platform.access.domain.ApiKeyText;
import io.tidemark.platform.access.domain.BootstrapKeys;
import io.tidemark.platform.shared.ValidatedSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of authentication.
 *
 * @param apiKeyPepper secret mixed into stored key hashes; at least 32 characters
 * @param keyCacheTime how long a key may be answered from memory, so also how long a revoked key
 *     may still work where PostgreSQL's notification is not heard; at most 5 s
 * @param keyOutageTime how long a key that was good stays so while the database cannot be asked; at
 *     most 15 min, zero for not at all
 * @param acceptedApiKeyPeppers others whose hashes are taken while the pepper is replaced
 * @param controlRequestsPerMinute how many requests of the control API an organisation may make,
 *     per instance
 * @param refusalsPeriod how often refused credentials are written to audit logs
 * @param bootstrap whole key texts that exist from the first start
 */
@ConfigurationProperties("tidemark.access")
record AccessProperties(
    String apiKeyPepper,
    @DefaultValue List<String> acceptedApiKeyPeppers,
    @DefaultValue("5s") Duration keyCacheTime,
    @DefaultValue("2m") Duration keyOutageTime,
    @DefaultValue("600") int controlRequestsPerMinute,
    @DefaultValue("1m") Duration authFailureReportInterval,
    @DefaultValue Bootstrap bootstrap)
    implements ValidatedSettings, ControlApiLimits, AuthFailureReportInterval {

  /**
   * Keys given by the environment.
   *
   * @param selfKey key of org-self; empty for none
   * @param demoKey key of org-demo; empty for none
   * @param extraKeys comma-separated {@code organisation=key}; empty for none
   */
  record Bootstrap(
      @DefaultValue("") String selfKey,
      @DefaultValue("") String demoKey,
      @DefaultValue("") String extraKeys) {

    @Override
    public String toString() {
      return "Bootstrap[hidden]";
    }
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (apiKeyPepper == null || apiKeyPepper.length() < 32) {
      faults.add(
          "TIDEMARK_API_KEY_PEPPER must be set to at least 32 random characters. To replace it, name"
              + " the one before in TIDEMARK_API_KEY_ACCEPTED_PEPPERS, or every key has to be issued"
              + " anew");
    }
    if (acceptedApiKeyPeppers.stream().anyMatch(one -> one.length() < 32)) {
      faults.add(
          "TIDEMARK_API_KEY_ACCEPTED_PEPPERS must be peppers of at least 32 characters, comma"
              + " separated, or not set");
    }
    if (authFailureReportInterval.toSeconds() < 1) {
      faults.add("tidemark.access.auth-failure-report-interval must be at least 1s");
    }
    if (controlRequestsPerMinute < 1) {
      faults.add("tidemark.access.control-requests-per-minute must be at least 1");
    }
    if (keyCacheTime.isNegative() || keyCacheTime.compareTo(Duration.ofSeconds(5)) > 0) {
      faults.add("tidemark.access.key-cache-time must be 0s to 5s, or revoked keys work too long");
    }
    if (keyOutageTime.isNegative() || keyOutageTime.compareTo(Duration.ofMinutes(15)) > 0) {
      faults.add(
          "tidemark.access.key-outage-time must be 0s to 15m, or revoked keys work too long");
    }
    checkKey("TIDEMARK_BOOTSTRAP_SELF_KEY", bootstrap.selfKey(), faults);
    checkKey("TIDEMARK_BOOTSTRAP_DEMO_KEY", bootstrap.demoKey(), faults);
    BootstrapKeys.parseExtra(bootstrap.extraKeys()).faults().stream()
        .map(fault -> "TIDEMARK_BOOTSTRAP_EXTRA_KEYS: " + fault)
        .forEach(faults::add);
    return faults;
  }

  /** The keys to be made sure of at start. */
  List<BootstrapKeys.Grant> bootstrapGrants() {
    return BootstrapKeys.grants(bootstrap.selfKey(), bootstrap.demoKey(), bootstrap.extraKeys());
  }

  List<byte[]> acceptedPepperBytes() {
    return acceptedApiKeyPeppers.stream()
        .map(pepper -> pepper.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  byte[] pepperBytes() {
    return apiKeyPepper.getBytes(StandardCharsets.UTF_8);
  }

  private static void checkKey(String setting, String text, List<String> faults) {
    if (!text.isEmpty()) {
      ApiKeyText.faultOf(text).ifPresent(fault -> faults.add(setting + ": " + fault));
    }
  }

  @Override
  public String toString() {
    return "AccessProperties[keyCacheTime=" + keyCacheTime + "]";
  }
}
