/** What the HTTP APIs have in common: how problems look and how much body is read. */
@NullMarked
package io.tidemark.platform.shared.web;

import org.jspecify.annotations.NullMarked;
