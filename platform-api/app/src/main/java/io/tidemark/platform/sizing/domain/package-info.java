/** The arithmetic of size, without files and formats. */
package io.tidemark.platform.sizing.domain;
