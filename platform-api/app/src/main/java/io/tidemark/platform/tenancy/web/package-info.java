/** Organisations and environments over HTTP. */
@NullMarked
package io.tidemark.platform.tenancy.web;

import org.jspecify.annotations.NullMarked;
