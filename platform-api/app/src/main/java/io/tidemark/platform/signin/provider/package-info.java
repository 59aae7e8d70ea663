/** Tidemark's own OpenID provider: accounts, passwords, signing keys, codes on their way. */
@NullMarked
package io.tidemark.platform.signin.provider;

import org.jspecify.annotations.NullMarked;
