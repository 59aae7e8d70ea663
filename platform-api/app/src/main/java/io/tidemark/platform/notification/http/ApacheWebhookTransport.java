package io.tidemark.platform.notification.http;

import io.tidemark.platform.notification.AddressPolicy;
import io.tidemark.platform.notification.NotificationProperties;
import io.tidemark.platform.notification.WebhookTransport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Posts with Apache HttpClient: no proxy of the environment, no redirect, no retry of its own, no
 * cookie, and no connection that is kept, so that every attempt looks the address up anew.
 */
@Component
class ApacheWebhookTransport implements WebhookTransport, DisposableBean {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int MAX_READ = 64 * 1024;
  private static final int MAX_SHOWN = 1_000;
  private static final String USER_AGENT = "Tidemark-Webhooks/1";

  private final CloseableHttpClient client;
  private final Duration timeout;
  private final Clock clock;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "notification-timeout"));

  ApacheWebhookTransport(NotificationProperties properties, Clock clock) {
    AddressPolicy policy = AddressPolicy.of(properties.allowedAddresses());
    this.timeout = properties.timeout();
    this.clock = clock;
    Timeout answer = Timeout.of(properties.timeout());
    HttpClientConnectionManager connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(new GuardedDnsResolver(policy))
            .setMaxConnTotal(properties.threads())
            .setMaxConnPerRoute(properties.threads())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(CONNECT))
                    .setSocketTimeout(answer)
                    .setTimeToLive(TimeValue.ofMilliseconds(1))
                    .build())
            .setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(answer).build())
            .build();
    this.client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setResponseTimeout(answer)
                    .setConnectionRequestTimeout(answer)
                    .setRedirectsEnabled(false)
                    .build())
            .setUserAgent(USER_AGENT)
            .setConnectionReuseStrategy((request, response, context) -> false)
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .build();
  }

  @Override
  public Result post(String url, Map<String, String> headers, String body) {
    HttpPost request = new HttpPost(url);
    headers.forEach(request::setHeader);
    request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON));
    // Whoever answers byte by byte is cut off all the same.
    ScheduledFuture<?> end =
        watch.schedule(request::cancel, timeout.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return client.execute(request, this::result);
    } catch (IOException failure) {
      return new Result(null, problem(failure, request.isCancelled()), null, null);
    } finally {
      end.cancel(false);
    }
  }

  private String problem(IOException failure, boolean isCancelled) {
    if (isCancelled) {
      return "No answer within " + timeout.toSeconds() + " s.";
    }
    String message = failure.getMessage();
    return printable(failure.getClass().getSimpleName() + (message == null ? "" : ": " + message));
  }

  private Result result(ClassicHttpResponse response) throws IOException {
    String answer = "";
    if (response.getEntity() != null) {
      try (InputStream in = response.getEntity().getContent()) {
        answer = new String(in.readNBytes(MAX_READ), StandardCharsets.UTF_8);
      }
    }
    return new Result(response.getCode(), null, printable(answer), retryAfter(response));
  }

  private @Nullable Duration retryAfter(ClassicHttpResponse response) {
    Header header = response.getFirstHeader("Retry-After");
    if (header == null || header.getValue() == null) {
      return null;
    }
    String value = header.getValue().strip();
    try {
      if (value.matches("[0-9]{1,9}")) {
        return Duration.ofSeconds(Long.parseLong(value));
      }
      Duration wait =
          Duration.between(
              clock.instant(),
              ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeException notATime) {
      return null;
    }
  }

  /** What strangers answer is shown to people: without control characters, and not much of it. */
  private static String printable(String text) {
    String cut = text.substring(0, Math.min(text.length(), MAX_SHOWN));
    return cut.replaceAll("\\p{Cntrl}", " ");
  }

  @Override
  public void destroy() throws IOException {
    watch.shutdownNow();
    client.close();
  }
}
