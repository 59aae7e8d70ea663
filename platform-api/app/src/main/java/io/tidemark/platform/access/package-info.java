/**
 * Who calls, and what the caller may do: service accounts, their roles and their API keys.
 *
 * <p>Words: a <em>key</em> has a public id and a secret; its whole text is {@code
 * tdm_<environment>_<id>_<secret><checksum>}. A <em>scope</em> is a permission given to a key. A
 * <em>service account</em> is a machine that owns keys; its <em>role</em> bounds what they may do.
 * A <em>caller</em> is an authenticated key with its organisation. The tenant of a request comes
 * from here and from nowhere else. It does not own organisations ({@code tenancy}), and does not
 * decide what a request means. A hexagon, because it holds rules. Guarded by {@code
 * ApiKeyTextTest}, {@code ApiKeyAuthenticatorTest}, {@code ApiKeysIT} and {@code
 * ServiceAccountsApiIT}.
 */
@ApplicationModule(allowedDependencies = {"shared", "tenancy", "audit", "replicas"})
@NullMarked
package io.tidemark.platform.access;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
