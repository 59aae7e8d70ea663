/** Usage, plans and invoices over HTTP. */
package io.tidemark.platform.billing.web;
