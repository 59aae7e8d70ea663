package io.tidemark.platform.signin;

import io.tidemark.platform.shared.ValidatedSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of sign-in.
 *
 * @param provider who vouches for people
 * @param secret from which the keys of cookies and of what is sealed in the database are made
 * @param acceptedSecrets others that are taken beside it while it is replaced
 * @param publicUrl where browsers reach the application, without a path; empty for localhost
 * @param idleTime after which an unused session ends
 * @param absoluteTime after which a session ends in any case
 * @param firstAdmin mail address of who administers what nobody administers yet
 * @param external another provider than Tidemark's own
 */
@ConfigurationProperties("tidemark.sign-in")
public record SignInProperties(
    @DefaultValue("embedded") Provider provider,
    @DefaultValue("") String secret,
    @DefaultValue List<String> acceptedSecrets,
    @DefaultValue("") String publicUrl,
    @DefaultValue("1h") Duration idleTime,
    @DefaultValue("12h") Duration absoluteTime,
    @DefaultValue("") String firstAdmin,
    @DefaultValue External external)
    implements ValidatedSettings {

  /** Who vouches for people. */
  public enum Provider {
    /** Tidemark's own provider. */
    EMBEDDED,
    /** Another one, by OpenID Connect. */
    EXTERNAL,
    /** Nobody signs in; keys only. */
    OFF
  }

  /**
   * Another provider.
   *
   * @param issuer its issuer, as its discovery document says
   * @param scopes what is asked for, separated by blanks
   */
  public record External(
      @DefaultValue("") String issuer,
      @DefaultValue("") String clientId,
      @DefaultValue("") String clientSecret,
      @DefaultValue("openid profile email") String scopes) {

    @Override
    public String toString() {
      return "External[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (provider == Provider.OFF) {
      return faults;
    }
    if (secret.length() < 32) {
      faults.add(
          "TIDEMARK_SIGN_IN_SECRET must be set to at least 32 random characters, the same on every"
              + " instance. Or set TIDEMARK_SIGN_IN=off");
    }
    if (acceptedSecrets.stream().anyMatch(one -> one.length() < 32)) {
      faults.add(
          "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS must be secrets of at least 32 characters, comma"
              + " separated, or not set");
    }
    if (!publicUrl.isEmpty() && !isOrigin(publicUrl)) {
      faults.add(
          "TIDEMARK_PUBLIC_URL must be https://host or https://host:port, or http:// with localhost"
              + " alone, since browsers keep the session cookie nowhere else");
    }
    if (idleTime.compareTo(Duration.ofMinutes(1)) < 0 || absoluteTime.compareTo(idleTime) < 0) {
      faults.add(
          "tidemark.sign-in.idle-time must be at least 1m, and absolute-time no shorter than it");
    }
    if (provider == Provider.EXTERNAL) {
      if (!isAbsolute(external.issuer())) {
        faults.add("TIDEMARK_OIDC_ISSUER must be the issuer's URL with TIDEMARK_SIGN_IN=external");
      }
      if (external.clientId().isBlank()) {
        faults.add("TIDEMARK_OIDC_CLIENT_ID must be set with TIDEMARK_SIGN_IN=external");
      }
      if (external.clientSecret().isBlank()) {
        faults.add("TIDEMARK_OIDC_CLIENT_SECRET must be set with TIDEMARK_SIGN_IN=external");
      }
      if (!List.of(external.scopes().split(" ")).contains("openid")) {
        faults.add("TIDEMARK_OIDC_SCOPES must hold openid");
      }
    }
    return faults;
  }

  /** Mail address of the first administrator; Tidemark's own provider needs one in any case. */
  public String firstAdministrator() {
    return firstAdmin.isBlank() && provider == Provider.EMBEDDED ? "admin@localhost" : firstAdmin;
  }

  private static boolean isAbsolute(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null && List.of("https", "http").contains(uri.getScheme());
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static boolean isOrigin(String url) {
    if (!isAbsolute(url)) {
      return false;
    }
    URI uri = URI.create(url);
    return uri.getRawPath().isEmpty()
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null
        && uri.getRawUserInfo() == null
        && (uri.getScheme().equals("https") || uri.getHost().equals("localhost"));
  }

  @Override
  public String toString() {
    return "SignInProperties[provider=" + provider + ", publicUrl=" + publicUrl + "]";
  }
}
