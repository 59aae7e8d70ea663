/**
 * Reads rollup rows as they stand on their topics (contracts/events/rollup-row.schema.json) without
 * a JSON parser, as far as they have the layout of the rollup job, and finds series by the bytes
 * that name them. Does not know what rows are read for.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package io.tidemark.platform.rows;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
