package io.tidemark.platform.access.smtp;

import io.tidemark.platform.access.InvitationSender;
import io.tidemark.platform.access.MailSender;

/** Sends each invitation by mail. */
public final class SmtpInvitationSender implements InvitationSender {

  private final MailSender mail;

  /** Mail over the server of the settings. */
  public SmtpInvitationSender(SmtpProperties settings) {
    this(new SmtpMailSender(settings));
  }

  /** Mail by that sender. */
  public SmtpInvitationSender(MailSender mail) {
    this.mail = mail;
  }

  @Override
  public boolean send(Message message) {
    return mail.send(
        message.to(),
        "You are invited to " + message.organization(),
        """
        You are invited to %s on Tidemark.

        Join here: %s

        The link works once, for seven days, and for this mail address only. If you did not expect it, leave it alone.
        """
            .formatted(message.organization(), message.link()));
  }
}
