/**
 * How the application reaches PostgreSQL: as a role that owns nothing, in transactions that name
 * one organisation. Guarded by {@code RowLevelSecurityIT}.
 */
@NullMarked
package io.tidemark.platform.shared.postgres;

import org.jspecify.annotations.NullMarked;
