/** Tidemark's own OpenID provider: accounts, passwords, signing keys, codes on their way. */
package io.tidemark.platform.signin.provider;
