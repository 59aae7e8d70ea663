package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that the container or its firewall refuses get an answer of the contract too. */
@ExtendWith(RunningPlatform.Extension.class)
class MalformedRequestHandlerIT {

  private static final String METRICS = "/api/v1/organizations/org-demo/environments/env-demo/";

  private final RunningPlatform platform;

  MalformedRequestHandlerIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void aLineThatIsTooLongGetsProblemDetails() throws IOException {
    String answer = raw("GET " + METRICS + "metrics?limit=" + "9".repeat(40_000) + " HTTP/1.1");

    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .containsIgnoringCase("Content-Type: application/problem+json")
        .contains("\"code\":\"malformed_request\"", "no longer than 32 KiB")
        .doesNotContain("<html");
  }

  @Test
  void aLineThatIsNoneGetsProblemDetails() throws IOException {
    assertThat(raw("GET /api/v1/<organizations> HTTP/1.1"))
        .startsWith("HTTP/1.1 400 ")
        .containsIgnoringCase("Content-Type: application/problem+json")
        .contains("\"code\":\"malformed_request\"");
  }

  @Test
  void aVersionThatNobodySpeaksIsTheCallersFault() throws IOException {
    assertThat(raw("GET /api/v1/organizations HTTP/9.9"))
        .startsWith("HTTP/1.1 400 ")
        .contains("\"code\":\"malformed_request\"");
  }

  @Test
  void aPathWithAnEncodedSlashGetsTheShapeOfItsApi() throws IOException {
    assertThat(raw("GET /v2/metrics/a%2Fb/discovery HTTP/1.1"))
        .startsWith("HTTP/1.1 400 ")
        .containsIgnoringCase("Content-Type: application/json")
        .contains("{\"errors\":[{", "encoded slashes");
  }

  @Test
  void aLongLineThatIsReadIsAnsweredByTheApi() {
    HttpResponse<byte[]> answer =
        Http.get(
            platform.api(METRICS + "metrics?limit=" + "9".repeat(20_000)),
            "Authorization",
            TestingKeys.bearer(RunningPlatform.DEMO_KEY));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Http.text(answer)).contains("limit");
  }

  @Test
  void aParameterWithCharactersOfNoMeaningIsTheCallersFault() {
    HttpResponse<byte[]> answer =
        Http.get(
            platform.api("/v2/metrics/cloud/export?metric=a&%F2%9D%B2%89%0C=b"),
            "Authorization",
            TestingKeys.bearer(RunningPlatform.DEMO_KEY));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Http.text(answer)).contains("malformed_request", "characters");
  }

  private String raw(String line) throws IOException {
    URI api = platform.api("/");
    try (Socket socket = new Socket(api.getHost(), api.getPort())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              (line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
