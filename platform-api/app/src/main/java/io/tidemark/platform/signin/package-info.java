/**
 * How a person gets in: a browser session that is kept here, an OpenID provider that says who it
 * is, and a small provider of its own for installations that have none.
 *
 * <p>Words: a <em>provider</em> is whoever vouches for people, Tidemark's own or any other. An
 * <em>account</em> is a person's mail address and password at Tidemark's own. A <em>session</em> is
 * what a browser's cookie stands for; tokens of a provider never reach the browser. It does not own
 * people, what they belong to, nor invitations ({@code access}), and does not decide what a request
 * may do. Guarded by {@code SignInIT}, {@code InvitationsIT} and {@code SecretSealerTest}.
 */
@ApplicationModule(allowedDependencies = {"shared", "audit", "tenancy", "access"})
@NullMarked
package io.tidemark.platform.signin;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
