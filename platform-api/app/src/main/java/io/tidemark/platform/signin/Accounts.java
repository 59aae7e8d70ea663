package io.tidemark.platform.signin;

import io.tidemark.platform.access.People;
import java.util.Optional;

/** Mail addresses and passwords at Tidemark's own provider. */
public interface Accounts {

  /**
   * Who vouches, as far as people are concerned; does not change with the address of the server.
   */
  String ISSUER = People.OWN_ACCOUNTS;

  /**
   * An account, without its password.
   *
   * @param mailVerified whether whoever made it proved that they read the mail of that address
   */
  record Account(
      String id,
      String mail,
      String displayName,
      boolean mustChangePassword,
      boolean mailVerified) {}

  /**
   * The account of that mail address and password.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code unauthenticated} when they do not
   *     fit, without telling which is wrong; {@code rate_limited} when there were too many wrong
   *     ones of late, and none is looked at
   */
  Account authenticate(String mail, String password, String address);

  Optional<Account> find(String id);

  /**
   * Makes an account.
   *
   * @param mailVerified whether whoever makes it proved that they read the mail of that address;
   *     then an account of somebody who did not is no hindrance and is removed
   * @throws io.tidemark.platform.shared.ProblemException {@code conflict} when the mail address has
   *     one; {@code invalid_request} when name or password break a rule
   */
  Account create(String mail, String displayName, String password, boolean mailVerified);

  /**
   * Gives the account another password.
   *
   * @throws io.tidemark.platform.shared.ProblemException as {@link #authenticate} for the present
   *     one; {@code invalid_request} when the new one breaks a rule
   */
  void changePassword(String id, String present, String wanted, String address);
}
