package io.tidemark.platform.signin;

/** Secrets that are kept sealed in the database. */
public interface SealedSecrets {

  /** Whether an earlier secret of the installation is taken beside the present one. */
  boolean acceptsOthers();

  /**
   * Seals with the present secret what was sealed with another that is taken.
   *
   * @return how many were
   */
  int renew();

  /** What they are, in the plural. */
  String what();
}
