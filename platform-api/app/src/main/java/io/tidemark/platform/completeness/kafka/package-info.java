/** Follows the watermarks, routes and open minutes of the pipeline in Kafka. */
@NamedInterface("kafka")
@NullMarked
package io.tidemark.platform.completeness.kafka;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
