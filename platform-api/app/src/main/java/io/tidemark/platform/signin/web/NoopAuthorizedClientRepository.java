package io.tidemark.platform.signin.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;

/** Throws access and refresh tokens away: nothing here calls anybody in a person's name. */
final class NoopAuthorizedClientRepository implements OAuth2AuthorizedClientRepository {

  @Override
  public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
      String registration, Authentication principal, HttpServletRequest request) {
    return null;
  }

  @Override
  public void saveAuthorizedClient(
      OAuth2AuthorizedClient client,
      Authentication principal,
      HttpServletRequest request,
      HttpServletResponse response) {
    // Thrown away.
  }

  @Override
  public void removeAuthorizedClient(
      String registration,
      Authentication principal,
      HttpServletRequest request,
      HttpServletResponse response) {
    // There is none.
  }
}
