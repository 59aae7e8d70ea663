package io.tidemark.platform.access;

/** Sends plain mail to people. */
public interface MailSender {

  /** Sends nothing: no mail server is set. */
  MailSender NONE =
      new MailSender() {
        @Override
        public boolean isAvailable() {
          return false;
        }

        @Override
        public boolean send(String to, String subject, String text) {
          return false;
        }
      };

  /** Whether a mail server is set. */
  boolean isAvailable();

  /** Whether the mail server took the message over; failures are logged without the text. */
  boolean send(String to, String subject, String text);
}
