package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the gateway says to bodies that are not what they should be: the protocol's own answer,
 * never a server error.
 */
@ExtendWith(RunningStack.class)
class HostileRequestsIT {
  private final RunningStack.Started stack = RunningStack.get();
  private final OtlpSender sender =
      new OtlpSender(
          stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-other"));

  @Test
  void anEmptyBodyIsAnEmptyBatch() throws Exception {
    HttpResponse<byte[]> answer = sender.send(new byte[0]);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/x-protobuf");
  }

  @Test
  void aMalformedBodyIsABadRequest() throws Exception {
    assertThat(
            sender
                .send("this is not protobuf".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .statusCode())
        .isEqualTo(400);
    assertThat(
            sender
                .send(new byte[] {10, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7})
                .statusCode())
        .isEqualTo(400);
    assertThat(
            sender
                .send(
                    "not gzip".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                    "Content-Encoding",
                    "gzip")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void anOversizedBodyIsRefusedHoweverItIsPacked() throws Exception {
    byte[] large = new byte[17 << 20];
    assertThat(sender.send(large).statusCode()).isEqualTo(413);
    assertThat(sender.send(gzip(new byte[200 << 20]), "Content-Encoding", "gzip").statusCode())
        .isEqualTo(413);
  }

  @Test
  void anUnknownEncodingOrTypeIsUnsupported() throws Exception {
    assertThat(sender.send(new byte[0], "Content-Type", "text/plain").statusCode()).isEqualTo(415);
    assertThat(sender.send(new byte[0], "Content-Encoding", "br").statusCode()).isEqualTo(415);
  }

  @Test
  void withoutValidCredentialsNothingIsTaken() throws Exception {
    OtlpSender anonymous = new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), "");
    assertThat(anonymous.send(new byte[0]).statusCode()).isEqualTo(401);
    assertThat(
            anonymous.send(new byte[0], "Authorization", "Basic bm9ib2R5Om5vdGhpbmc=").statusCode())
        .isEqualTo(401);
    assertThat(
            anonymous
                .send(new byte[0], "Authorization", "Bearer tdm_env-x_AAAAAAAAAAAAAAAA_short")
                .statusCode())
        .isEqualTo(401);
    assertThat(anonymous.send(new byte[0], "Authorization", "Basic !!!").statusCode())
        .isEqualTo(401);
  }

  @Test
  void noGarbageMakesAServerError() throws Exception {
    Random random = new Random(20261121);
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[random.nextInt(400)];
      random.nextBytes(garbage);
      assertThat(sender.send(garbage).statusCode()).as("garbage %s", i).isIn(200, 400);
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(plain);
    }
    return packed.toByteArray();
  }
}
