package io.tidemark.platform.notification;

import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.notification.WebhookTransport.Result;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a message as mail. That a mail server took it over is what is known of it; one that is away
 * is tried again like a receiver of webhooks.
 */
@Component
class MailTransport {

  static final String SCHEME = "mailto:";

  /** What a mail server answers when it takes a message over. */
  private static final int TAKEN = 250;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final MailSender mail;

  MailTransport(MailSender mail) {
    this.mail = mail;
  }

  boolean isAvailable() {
    return mail.isAvailable();
  }

  /**
   * @param url mailto: and an address
   * @param body subject and text, as {@link MessageRenderer} writes them
   */
  Result send(String url, String body) {
    JsonNode message = JSON.readTree(body);
    boolean isTaken =
        mail.send(
            url.substring(SCHEME.length()),
            message.path("subject").asString(),
            message.path("text").asString());
    return isTaken
        ? new Result(TAKEN, null, "The mail server took the message.", null)
        : new Result(
            null,
            "The mail server did not take the message: it is not set, away, or refused it.",
            null,
            null);
  }
}
