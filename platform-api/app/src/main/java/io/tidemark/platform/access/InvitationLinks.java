package io.tidemark.platform.access;

/** Where people go with the token of an invitation. Implemented by whoever has that page. */
@FunctionalInterface
public interface InvitationLinks {

  /** The whole address. */
  String of(String token);
}
