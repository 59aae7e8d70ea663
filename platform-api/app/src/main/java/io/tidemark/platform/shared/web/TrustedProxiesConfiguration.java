package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ValidatedSettings;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives requests that come by trusted proxies the address of their client, on every HTTP port. */
@Configuration(proxyBeanMethods = false)
class TrustedProxiesConfiguration {

  /**
   * Settings of proxies.
   *
   * @param trustedProxies addresses or ranges whose forwarded headers are read; none by default
   */
  @ConfigurationProperties("tidemark.network")
  record NetworkProperties(@DefaultValue({}) List<String> trustedProxies)
      implements ValidatedSettings {

    @Override
    public List<String> faults() {
      try {
        proxies();
        return List.of();
      } catch (IllegalArgumentException fault) {
        return List.of(
            "TIDEMARK_TRUSTED_PROXIES: "
                + fault.getMessage()
                + "; list addresses or ranges as 10.0.0.0/8, separated by commas");
      }
    }

    TrustedProxies proxies() {
      return new TrustedProxies(trustedProxies);
    }
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> clientAddresses(
      NetworkProperties properties) {
    TrustedProxies proxies = properties.proxies();
    return factory -> {
      if (!proxies.isEmpty()) {
        factory.addEngineValves(new ClientAddressValve(proxies));
      }
    };
  }

  private static final class ClientAddressValve extends ValveBase {

    private final TrustedProxies proxies;

    ClientAddressValve(TrustedProxies proxies) {
      super(true);
      this.proxies = proxies;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      String client =
          proxies.client(
              request.getRemoteAddr(),
              Collections.list(request.getHeaders("Forwarded")),
              Collections.list(request.getHeaders("X-Forwarded-For")));
      request.setRemoteAddr(client);
      request.setRemoteHost(client);
      getNext().invoke(request, response);
    }
  }
}
