/** Usage, plans and invoices over HTTP. */
@NullMarked
package io.tidemark.platform.billing.web;

import org.jspecify.annotations.NullMarked;
