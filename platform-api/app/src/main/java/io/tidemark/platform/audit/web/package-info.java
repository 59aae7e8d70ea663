/** The audit log over HTTP. */
@NullMarked
package io.tidemark.platform.audit.web;

import org.jspecify.annotations.NullMarked;
