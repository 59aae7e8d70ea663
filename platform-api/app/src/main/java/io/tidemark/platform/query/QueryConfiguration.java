package io.tidemark.platform.query;

import io.tidemark.platform.query.application.QueryingMetrics;
import io.tidemark.platform.query.application.RunQuery;
import io.tidemark.platform.query.druid.DruidBroker;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the module together. */
@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

  @Bean
  RunQuery druidBroker(QueryProperties properties) {
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    return new DruidBroker(
        http,
        properties.broker(),
        properties.datasource(),
        properties.timeout(),
        properties.greatestResult());
  }

  @Bean
  QueryingMetrics queryingMetrics(RunQuery store, Clock clock) {
    return new QueryingMetrics(store, clock);
  }
}
