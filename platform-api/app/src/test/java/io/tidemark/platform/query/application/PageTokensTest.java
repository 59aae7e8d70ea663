package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.query.application.PageTokens.PagePosition;
import io.tidemark.platform.query.application.PageTokens.Request;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PageTokensTest {

  private static final Instant NOW = Instant.parse("2026-03-15T12:34:56Z");
  private static final Request REQUEST =
      new Request(QueryScope.all(new TenantId("org-a")), "cloud", "query 1");

  private final PageTokens tokens = new PageTokens("a secret for tests");
  private final PagePosition place = new PagePosition(NOW, Arrays.asList("topic", null, "ü"));

  @Test
  void aTokenLeadsBackToItsPlace() {
    assertThat(tokens.place(REQUEST, tokens.token(REQUEST, place), NOW)).isEqualTo(place);
  }

  @Test
  void aTokenIsOfItsTenantItsDatasetAndItsRequest() {
    String token = tokens.token(REQUEST, place);
    refused(new Request(QueryScope.all(new TenantId("org-b")), "cloud", "query 1"), token, NOW);
    QueryScope part = new QueryScope(new TenantId("org-a"), Set.of("env-a"));
    refused(new Request(part, "cloud", "query 1"), token, NOW);
    refused(new Request(QueryScope.all(new TenantId("org-a")), "self", "query 1"), token, NOW);
    refused(new Request(QueryScope.all(new TenantId("org-a")), "cloud", "query 2"), token, NOW);
    refused(REQUEST, new PageTokens("another secret").token(REQUEST, place), NOW);
  }

  @Test
  void aTokenEndsAfterAnHour() {
    String token = tokens.token(REQUEST, place);
    assertThat(tokens.place(REQUEST, token, NOW.plus(Duration.ofHours(1)))).isEqualTo(place);
    assertThat(refused(REQUEST, token, NOW.plus(Duration.ofMinutes(61))).getMessage())
        .contains("expired");
  }

  @Test
  void noTokenCanBeMadeUpOrChanged() {
    Random random = new Random(7);
    byte[] token = Base64.getUrlDecoder().decode(tokens.token(REQUEST, place));
    for (int i = 0; i < 10_000; i++) {
      byte[] changed =
          Arrays.copyOf(token, random.nextInt(4) == 0 ? random.nextInt(80) : token.length);
      for (int j = random.nextInt(4); j >= 0 && changed.length > 0; j--) {
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (!Arrays.equals(changed, token)) {
        refused(REQUEST, Base64.getUrlEncoder().encodeToString(changed), NOW);
      }
    }
    refused(REQUEST, "", NOW);
    refused(REQUEST, "no base 64!", NOW);
  }

  private ProblemException refused(Request request, String token, Instant now) {
    ProblemException problem =
        catchThrowableOfType(ProblemException.class, () -> tokens.place(request, token, now));
    assertThat(problem).as(token).isNotNull();
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_QUERY);
    assertThat(problem.getMessage()).contains("page_token");
    return problem;
  }
}
