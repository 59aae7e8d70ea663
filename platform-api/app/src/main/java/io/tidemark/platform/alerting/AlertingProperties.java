package io.tidemark.platform.alerting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of alerting.
 *
 * @param kafka bootstrap servers, where the pipeline says what became of alerts
 * @param group consumer group; the instances share the partitions
 */
@ConfigurationProperties("tidemark.alerting")
public record AlertingProperties(
    @DefaultValue("") String kafka, @DefaultValue("platform-api-alerting") String group) {}
