/** Follows the watermarks, routes and open minutes of the pipeline in Kafka. */
@NamedInterface("kafka")
package io.tidemark.platform.completeness.kafka;

import org.springframework.modulith.NamedInterface;
