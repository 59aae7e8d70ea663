/** The form of keys, how secrets are compared, and what keys exist from the first start. Pure. */
@NullMarked
package io.tidemark.platform.access.domain;

import org.jspecify.annotations.NullMarked;
