/**
 * The log of who changed what, and of what was refused; and the guard at the door of the control
 * API, which lets a call in or writes down that it did not.
 *
 * <p>Words: an <em>entry</em> is added in the transaction of the change it tells of and is never
 * changed. Entries of an organisation form a <em>chain</em>: the hash of each covers the one
 * before. An <em>actor</em> is who did it. It does not own the objects that entries tell of, and
 * knows them as texts. Flat, but for the chain's arithmetic in {@code AuditChain}. Guarded by
 * {@code AuditChainTest} and {@code AuditLogIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
@NullMarked
package io.tidemark.platform.audit;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
