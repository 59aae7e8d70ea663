/**
 * Who calls, and what the caller may do: API keys and their scopes.
 *
 * <p>Words: a <em>key</em> has a public id and a secret; its whole text is {@code
 * tdm_<environment>_<id>_<secret><checksum>}. A <em>scope</em> allows one kind of request. A
 * <em>caller</em> is an authenticated key with its organisation. The tenant of a request comes from
 * here and from nowhere else. It does not own organisations ({@code tenancy}), and does not decide
 * what a request means. A hexagon, because it holds rules. Guarded by {@code ApiKeyTextTest},
 * {@code AuthenticatingApiKeyTest} and {@code ApiKeysIT}.
 */
@ApplicationModule(allowedDependencies = {"shared", "tenancy", "audit"})
package io.tidemark.platform.access;

import org.springframework.modulith.ApplicationModule;
