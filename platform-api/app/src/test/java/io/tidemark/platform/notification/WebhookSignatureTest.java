package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {

  private static final byte[] KEY = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  private static final String BODY = "{\"test\": 2432232314}";

  /** The vector that the specification's own libraries are tested with. */
  @Test
  void theSignatureIsThatOfTheSpecification() {
    assertThat(
            WebhookSignature.header(
                List.of(KEY), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330L, BODY))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void receiversWithTheOldAndTheNewSecretVerifyWhileOneIsReplaced() throws Exception {
    byte[] newer = new byte[32];
    newer[0] = 1;
    String id = "msg_rotation";
    long now = Instant.now().getEpochSecond();
    HttpHeaders headers =
        headers(id, now, WebhookSignature.header(List.of(newer, KEY), id, now, BODY));

    new Webhook(WebhookSignature.text(newer)).verify(BODY, headers);
    new Webhook(WebhookSignature.text(KEY)).verify(BODY, headers);
    assertThatThrownBy(() -> new Webhook(WebhookSignature.text(KEY)).verify(BODY + " ", headers))
        .isInstanceOf(WebhookVerificationException.class);
  }

  private static HttpHeaders headers(String id, long seconds, String signature) {
    return HttpHeaders.of(
        Map.of(
            "webhook-id", List.of(id),
            "webhook-timestamp", List.of(Long.toString(seconds)),
            "webhook-signature", List.of(signature)),
        (name, value) -> true);
  }
}
