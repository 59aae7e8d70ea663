package io.tidemark.platform.signin.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.firewall.RequestRejectedException;

class CanonicalPathFirewallTest {

  private static MockHttpServletRequest request(String path) {
    return new MockHttpServletRequest("POST", path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%61pi/v1/organizations",
        "/%69dentity/sign-in",
        "/v%32/metrics/cloud/query",
        "/api/v1/%5Fx",
        "/api%2Dx",
        "/api/%5a"
      })
  void oneThingHasOnePath(String path) {
    assertThatThrownBy(() -> new CanonicalPathFirewall().getFirewalledRequest(request(path)))
        .isInstanceOf(RequestRejectedException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/organizations/org-x",
        "/api/v1/organizations/%C3%BC",
        "/api/v1/organizations/%25zz",
        "/prometheus/api/v1/label/a%3Ab/values",
        "/account/%7Ex%20y%40z"
      })
  void whatHasToBeEncodedIsTaken(String path) {
    assertThatCode(() -> new CanonicalPathFirewall().getFirewalledRequest(request(path)))
        .doesNotThrowAnyException();
  }
}
