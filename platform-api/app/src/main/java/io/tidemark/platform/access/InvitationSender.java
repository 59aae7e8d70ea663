package io.tidemark.platform.access;

/** Brings the link of an invitation to the person. */
public interface InvitationSender {

  /** Nobody brings it: whoever invites gives it to the person. */
  InvitationSender BY_HAND = message -> false;

  /**
   * What the person is told.
   *
   * @param to mail address
   * @param organization name, as people know it
   * @param link good once
   */
  record Message(String to, String organization, String link) {

    @Override
    public String toString() {
      return "Message[to=" + to + ", organization=" + organization + "]";
    }
  }

  /** Whether somebody took the message over; if not, the link is shown to whoever invites. */
  boolean send(Message message);
}
