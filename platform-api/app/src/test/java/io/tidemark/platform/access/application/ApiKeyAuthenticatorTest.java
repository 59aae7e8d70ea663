package io.tidemark.platform.access.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.access.domain.ApiKeyText;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingKeys;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyAuthenticatorTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String KEY = TestingKeys.key("env-a", 'A');

  private static final byte[] PEPPER =
      "a pepper of at least 32 characters".getBytes(StandardCharsets.UTF_8);

  private final SecretHash hash = new SecretHash(PEPPER);
  private final List<String> used = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final Map<String, StoredKey> stored = new HashMap<>();
  private final List<byte[]> outdated = new ArrayList<>();
  private final ApiKeyAuthenticator authentication = authenticator(hash);

  private ApiKeyAuthenticator authenticator(SecretHash present) {
    return new ApiKeyAuthenticator(
        id -> Optional.ofNullable(stored.get(id)),
        present,
        Clock.fixed(NOW, ZoneOffset.UTC),
        new ApiKeyUsageListener() {
          @Override
          public void used(TenantId organization, String keyId) {
            used.add(organization + " " + keyId);
          }

          @Override
          public void outdated(TenantId organization, String keyId, byte[] before, byte[] now) {
            outdated.add(now);
          }
        },
        (organization, keyId) -> refused.add(organization + " " + keyId));
  }

  private void store(String text, boolean revoked) {
    store(text, revoked, null);
  }

  private void store(String text, boolean revoked, Instant expiresAt) {
    ApiKeyText key = ApiKeyText.parse(text).orElseThrow();
    stored.put(
        key.id(),
        new StoredKey(
            key.id(),
            new TenantId("org-a"),
            new EnvironmentId("env-a"),
            hash.of(key.secretWithChecksum()),
            Set.of(Permission.METRICS_READ),
            revoked,
            expiresAt));
  }

  @Test
  void bearerAndBasicNameTheSameCaller() {
    store(KEY, false);
    Caller caller = authentication.authenticate(TestingKeys.bearer(KEY));
    assertThat(caller.organization()).isEqualTo(new TenantId("org-a"));
    assertThat(caller.environment()).isEqualTo(new EnvironmentId("env-a"));
    assertThat(authentication.authenticate(TestingKeys.basic(KEY))).isEqualTo(caller);
  }

  @Test
  void aSchemeIsReadInAnyCase() {
    store(KEY, false);
    assertThat(authentication.authenticate("bearer " + KEY)).isNotNull();
    assertThat(authentication.authenticate("BASIC " + TestingKeys.basic(KEY).substring(6)))
        .isNotNull();
  }

  @Test
  void aScopeThatTheKeyLacksIsForbidden() {
    store(KEY, false);
    Caller caller = authentication.authenticate(TestingKeys.bearer(KEY));
    caller.require(Permission.METRICS_READ);
    assertThatThrownBy(() -> caller.require(Permission.METRICS_WRITE))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.FORBIDDEN);
              assertThat(problem.details().get(0)).contains("metrics:write");
            });
  }

  @Test
  void aKeyIsRefusedFromTheInstantItExpires() {
    store(KEY, false, NOW.plusMillis(1));
    assertThat(authentication.authenticate(TestingKeys.bearer(KEY))).isNotNull();
    store(KEY, false, NOW);
    assertRefused(TestingKeys.bearer(KEY));
  }

  @Test
  void aKeyOfAnAcceptedPepperWorksAndIsToBeHashedAnew() {
    byte[] replaced = "another pepper of 32 characters, at least".getBytes(StandardCharsets.UTF_8);
    store(KEY, false);
    SecretHash both = new SecretHash(replaced, List.of(PEPPER));

    assertThat(authenticator(both).authenticate(TestingKeys.bearer(KEY))).isNotNull();

    String secret = ApiKeyText.parse(KEY).orElseThrow().secretWithChecksum();
    assertThat(outdated).singleElement().isEqualTo(new SecretHash(replaced).of(secret));
    assertThatThrownBy(
            () -> authenticator(new SecretHash(replaced)).authenticate(TestingKeys.bearer(KEY)))
        .isInstanceOf(ProblemException.class);
    assertThat(outdated).as("of a key that is refused").hasSize(1);
  }

  @Test
  void aKeyOfThePresentPepperStaysAsItIs() {
    store(KEY, false);
    byte[] before = "a pepper from before, of 32 characters".getBytes(StandardCharsets.UTF_8);

    authenticator(new SecretHash(PEPPER, List.of(before))).authenticate(TestingKeys.bearer(KEY));

    assertThat(outdated).isEmpty();
  }

  @Test
  void onlyUsesThatSucceedAreNoted() {
    store(KEY, true);
    assertRefused(TestingKeys.bearer(KEY));
    assertThat(used).isEmpty();
    store(KEY, false);
    authentication.authenticate(TestingKeys.bearer(KEY));
    assertThat(used).containsExactly("org-a " + "A".repeat(16));
  }

  @Test
  void aRevokedKeyIsRefused() {
    store(KEY, true);
    assertRefused(TestingKeys.bearer(KEY));
  }

  @Test
  void anUnknownKeyIsRefused() {
    assertRefused(TestingKeys.bearer(KEY));
  }

  @Test
  void aWrongSecretIsRefused() {
    store(KEY, false);
    String id = ApiKeyText.parse(KEY).orElseThrow().id();
    String before = "tdm_env-a_" + id + "_" + "B".repeat(40);
    assertRefused("Bearer " + before + ApiKeyText.checksum(before));
  }

  @Test
  void theEnvironmentInTheKeyMustBeItsOwn() {
    store(KEY, false);
    ApiKeyText key = ApiKeyText.parse(KEY).orElseThrow();
    stored.put(
        key.id(),
        new StoredKey(
            key.id(),
            new TenantId("org-a"),
            new EnvironmentId("env-other"),
            hash.of(key.secretWithChecksum()),
            Set.of(),
            false,
            null));
    assertRefused(TestingKeys.bearer(KEY));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        " ",
        "Basic",
        "Basic !!!",
        "Basic YTpi",
        "Bearer x",
        "Digest abc",
        "Basic YQ=="
      })
  void anythingElseIsRefused(String header) {
    assertRefused(header);
  }

  private void assertRefused(String header) {
    assertThatThrownBy(() -> authentication.authenticate(header))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
  }
}
