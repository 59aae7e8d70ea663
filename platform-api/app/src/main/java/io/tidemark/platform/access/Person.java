package io.tidemark.platform.access;

/**
 * A human who has signed in at least once.
 *
 * @param mail as the provider of identities said last; null when it said none
 * @param mailVerified whether that provider vouches for the mail address
 */
public record Person(String id, String mail, boolean mailVerified, String displayName) {}
