/** The language of queries: drafts, the checked plan, the answer. Pure. */
@NamedInterface("domain")
package io.tidemark.platform.query.domain;

import org.springframework.modulith.NamedInterface;
