package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page on which people read and try the APIs. */
@ExtendWith(RunningPlatform.Extension.class)
class ApiDocumentsIT {

  private static final Pattern ASSET = Pattern.compile("(?:src|href)=\"(/[^\"]+)\"");

  private final RunningPlatform platform;

  ApiDocumentsIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private HttpResponse<byte[]> get(String path) {
    return Http.get(platform.api(path));
  }

  @Test
  void everythingThePageNeedsComesFromThisServer() {
    HttpResponse<byte[]> page = get("/docs/index.html");
    assertThat(page.statusCode()).isEqualTo(200);
    String text = Http.text(page);
    assertThat(text).doesNotContain("http:", "https:", " style=", "<style", "onload");
    assertThat(text).doesNotContainPattern("<script>");
    Matcher asset = ASSET.matcher(text);
    List<String> assets = new ArrayList<>();
    while (asset.find()) {
      assets.add(asset.group(1));
      HttpResponse<byte[]> answer = get(asset.group(1));
      assertThat(answer.statusCode()).as(asset.group(1)).isEqualTo(200);
      assertThat(answer.body()).as(asset.group(1)).isNotEmpty();
    }
    assertThat(assets).hasSizeGreaterThan(4);
  }

  @Test
  void thePolicyLetsOnlyThisServersScriptsRun() {
    String policy =
        get("/docs/index.html").headers().firstValue("Content-Security-Policy").orElseThrow();
    assertThat(policy).contains("script-src 'self'", "style-src 'self'").doesNotContain("unsafe");
  }

  @Test
  void shortAddressesLeadThere() {
    for (String address : List.of("/docs", "/docs/")) {
      HttpResponse<byte[]> answer = get(address);
      assertThat(answer.statusCode()).as(address).isEqualTo(302);
      assertThat(answer.headers().firstValue("Location").orElse("")).endsWith("/docs/index.html");
    }
  }

  @Test
  void everyDocumentIsOffered() {
    String offered = Http.text(get("/docs/documents.js"));
    for (String document : Contracts.files("openapi")) {
      String address = "/openapi/" + document;
      assertThat(offered).contains("\"" + address + "\"");
      HttpResponse<byte[]> yaml = get(address);
      assertThat(yaml.statusCode()).isEqualTo(200);
      assertThat(yaml.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/yaml");
      HttpResponse<byte[]> json = get(address.replace(".yaml", ".json"));
      assertThat(json.statusCode()).as(address).isEqualTo(200);
      assertThat(json.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/json");
      assertThat(Http.text(json)).startsWith("{\"openapi\":\"3.0.3\"");
    }
    HttpResponse<byte[]> usual = get("/openapi.json");
    assertThat(usual.statusCode()).isEqualTo(302);
    assertThat(usual.headers().firstValue("Location").orElse(""))
        .endsWith("/openapi/metrics-api.json");
    for (String address : List.of("/openapi/nothing.json", "/openapi/..%2fx.json")) {
      assertThat(get(address).statusCode()).as(address).isIn(400, 404);
    }
  }
}
