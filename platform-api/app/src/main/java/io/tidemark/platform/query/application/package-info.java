/** Plans and runs a query: cost check, concurrency, paging, completeness. No framework. */
@NamedInterface("application")
@NullMarked
package io.tidemark.platform.query.application;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
