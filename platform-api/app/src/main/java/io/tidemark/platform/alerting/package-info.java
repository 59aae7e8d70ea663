/**
 * Alert rules and the incidents that come of them.
 *
 * <p>Words: a <em>rule</em> compares a number of a metric, once a minute and <em>group</em>, with a
 * threshold. The pipeline decides; what it decides comes as <em>transitions</em>, each once. An
 * <em>incident</em> begins when a group fires and ends when it is normal again; late data may
 * correct or retract it. A <em>silence</em> or an <em>inhibition</em> keeps others from being told
 * of incidents, never from seeing them. It does not own who is told of incidents, which {@code
 * notification} hears by {@code IncidentsChanged}. Flat. Guarded by {@code AlertsApiIT} and {@code
 * SilencesApiIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "loops",
      "audit",
      "tenancy",
      "outbox",
      "kafka",
      "completeness",
      "metricstore",
      "query",
      "query :: application",
      "query :: domain"
    })
@NullMarked
package io.tidemark.platform.alerting;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
