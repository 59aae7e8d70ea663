package io.tidemark.platform.signin.web;

import java.time.Duration;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Requests to the provider, which may be slow: a browser waits, and with it a thread. */
final class ProviderHttpClient {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private ProviderHttpClient() {}

  private static SimpleClientHttpRequestFactory requests() {
    SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
    requests.setConnectTimeout(PATIENCE);
    requests.setReadTimeout(PATIENCE);
    return requests;
  }

  static RestClientAuthorizationCodeTokenResponseClient tokenClient() {
    RestClientAuthorizationCodeTokenResponseClient client =
        new RestClientAuthorizationCodeTokenResponseClient();
    client.setRestClient(
        RestClient.builder()
            .requestFactory(requests())
            .configureMessageConverters(
                converters ->
                    converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    return client;
  }

  static OidcUserService userService() {
    RestTemplate rest = new RestTemplate(requests());
    rest.setErrorHandler(new OAuth2ErrorResponseErrorHandler());
    DefaultOAuth2UserService users = new DefaultOAuth2UserService();
    users.setRestOperations(rest);
    OidcUserService service = new OidcUserService();
    service.setOauth2UserService(users);
    return service;
  }
}
