/** Plans and runs a query: cost check, concurrency, paging, completeness. No framework. */
@NamedInterface("application")
package io.tidemark.platform.query.application;

import org.springframework.modulith.NamedInterface;
