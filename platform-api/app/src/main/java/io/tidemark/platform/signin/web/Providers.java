package io.tidemark.platform.signin.web;

import io.tidemark.platform.signin.ConsoleClient;
import io.tidemark.platform.signin.PublicAddress;
import io.tidemark.platform.signin.SignInProperties;
import io.tidemark.platform.signin.SignInProperties.External;
import io.tidemark.platform.signin.SignInProperties.Provider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;

/**
 * The one provider that vouches for people. Another one's addresses are looked up in its discovery
 * document when somebody first signs in: it need not be there when the application starts.
 */
final class Providers implements ClientRegistrationRepository {

  static final String ID = "tidemark";

  private final SignInProperties properties;
  private final ConsoleClient console;
  private final PublicAddress address;
  private volatile @Nullable ClientRegistration found;

  Providers(SignInProperties properties, ConsoleClient console, PublicAddress address) {
    this.properties = properties;
    this.console = console;
    this.address = address;
  }

  boolean isEmbedded() {
    return properties.provider() == Provider.EMBEDDED;
  }

  @Override
  public @Nullable ClientRegistration findByRegistrationId(String id) {
    return ID.equals(id) ? registration() : null;
  }

  /**
   * The provider.
   *
   * @throws IllegalArgumentException when its discovery document cannot be read now
   */
  ClientRegistration registration() {
    if (found == null) {
      found = isEmbedded() ? embedded() : external(properties.external());
    }
    return found;
  }

  private ClientRegistration embedded() {
    return complete(ClientRegistration.withRegistrationId(ID))
        .clientId(console.id())
        .clientSecret(console.secret())
        .scope("openid", "profile", "email")
        .authorizationUri(address.origin() + "/oauth2/authorize")
        .tokenUri(address.loopback() + "/oauth2/token")
        .jwkSetUri(address.loopback() + "/oauth2/jwks")
        .issuerUri(address.origin())
        .userNameAttributeName("sub")
        .build();
  }

  private ClientRegistration external(External external) {
    return complete(ClientRegistrations.fromIssuerLocation(external.issuer()))
        .registrationId(ID)
        .clientId(external.clientId())
        .clientSecret(external.clientSecret())
        .scope(external.scopes().split(" "))
        .userNameAttributeName("sub")
        .build();
  }

  private ClientRegistration.Builder complete(ClientRegistration.Builder builder) {
    return builder
        .clientName("Tidemark")
        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUri(console.redirectUri())
        .clientSettings(ClientRegistration.ClientSettings.builder().requireProofKey(true).build());
  }

  /** Where the provider signs people out; empty for Tidemark's own, whose session is ours. */
  Optional<String> signOutAddress() {
    return isEmbedded()
        ? Optional.empty()
        : Optional.ofNullable(
                registration()
                    .getProviderDetails()
                    .getConfigurationMetadata()
                    .get("end_session_endpoint"))
            .map(Object::toString);
  }
}
