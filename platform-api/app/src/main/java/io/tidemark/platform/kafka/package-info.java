/**
 * Consumers of the pipeline's topics: one loop for every follower, and the settings they share.
 *
 * <p>It does not know what records mean. Guarded by {@code RecentRowConsumerTest} and {@code
 * OpenMinuteConsumerTest}.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package io.tidemark.platform.kafka;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
