package io.tidemark.platform.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingPeople;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The console's document and assets, with a small console of the test's own when none is built. */
@ExtendWith(RunningPlatform.Extension.class)
class ConsoleFilesIT {

  private final RunningPlatform platform;

  ConsoleFilesIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private HttpResponse<byte[]> get(String path) {
    return Http.get(platform.api(path));
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void everyPathIsAPageOfTheConsole() {
    for (String path :
        List.of(
            "/console/",
            "/console/o/org-demo",
            "/console/o/org-demo/e/env-demo/explorer?metric=a.b&from=now-1h",
            "/console/o/org-demo/e/env-demo/resources/a.b")) {
      HttpResponse<byte[]> page = get(path);
      assertThat(page.statusCode()).as(path).isEqualTo(200);
      assertThat(header(page, "Content-Type")).as(path).startsWith("text/html");
      assertThat(header(page, "Cache-Control")).as(path).isEqualTo("no-cache");
      assertThat(Http.text(page)).as(path).contains("id=\"root\"").doesNotContain("<style");
    }
  }

  @Test
  void assetsAreKeptAndMissingOnesAreNoPages() {
    HttpResponse<byte[]> asset = get("/console/assets/of-a-test.js");
    assertThat(asset.statusCode()).isEqualTo(200);
    assertThat(header(asset, "Cache-Control")).contains("immutable");
    assertThat(get("/console/assets/gone.js").statusCode()).isEqualTo(404);
    assertThat(Http.text(get("/console/..%2f..%2fapplication.yaml"))).doesNotContain("tidemark:");
  }

  @Test
  void thePolicyAllowsOnlyOwnFiles() {
    assertThat(header(get("/console/"), "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe", "http:", "https:");
  }

  @Test
  void shortAddressesLeadThere() {
    assertThat(header(get("/console"), "Location")).endsWith("/console/");
  }

  @Test
  void peopleLearnWhereToSend() {
    TestingBrowser admin = TestingPeople.admin(platform);
    var answer = admin.call("GET", "/api/v1/endpoints", null);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("otlp_http_url").asString()).endsWith("/v1/metrics");
    assertThat(answer.body().path("remote_write_url").asString()).endsWith("/api/v1/write");
    assertThat(get("/api/v1/endpoints").statusCode()).isEqualTo(401);
  }
}
