/** The language of queries: drafts, the checked plan, the answer. Pure. */
@NamedInterface("domain")
@NullMarked
package io.tidemark.platform.query.domain;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
