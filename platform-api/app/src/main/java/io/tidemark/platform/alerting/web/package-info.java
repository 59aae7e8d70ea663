/** Alert rules and incidents over HTTP. */
@NullMarked
package io.tidemark.platform.alerting.web;

import org.jspecify.annotations.NullMarked;
