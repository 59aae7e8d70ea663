/**
 * Words every module speaks: the tenant and its environments, the caller and the permissions it
 * has, the error that a caller sees, transactions of one tenant, pages and versions of what is
 * listed and changed, creating something once, the clock, identifiers, spans of requests, and
 * settings that are checked before anything starts. {@code Permission} is generated from {@code
 * contracts/vocabulary/permissions.yaml}.
 *
 * <p>A closed list: a type is added here only by a decision record. It does not own any business
 * rule, and no module's data. Guarded by {@code ModularityTests} and {@code ArchitectureTest}.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package io.tidemark.platform.shared;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
