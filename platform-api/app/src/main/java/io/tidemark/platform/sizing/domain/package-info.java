/** The arithmetic of size, without files and formats. */
@NullMarked
package io.tidemark.platform.sizing.domain;

import org.jspecify.annotations.NullMarked;
