/**
 * What was used, what it costs, and the proof of both.
 *
 * <p>Words: a <em>usage entry</em> is one meter of one usage record, in a chain per organisation
 * that shows tampering. A <em>period</em> is a month in UTC, by the time of receipt. A
 * <em>plan</em> has prices; its versions have dates. A <em>draft</em> is computed from entries and
 * plans as they are; a <em>closed</em> invoice is stored and never changes, and what arrives for
 * its month later is an <em>adjustment</em> of the month that is open. A <em>cost</em> is a part of
 * a line, of one day, resource and price. A <em>credit</em> pays invoices; a <em>budget</em> tells
 * of them. Rules are in {@code domain}; files are made in {@code document}; the root stores and
 * serves. It meters nothing, and it takes no payment. Guarded by {@code ChargePricerTest}, {@code
 * InvoiceCalculatorTest}, {@code BillingApiIT}, {@code BillingAccountIT}, {@code PeriodCloseIT},
 * {@code LedgerVerificationIT} and, on the real engines, {@code BillingIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "kafka",
      "shared",
      "loops",
      "audit",
      "tenancy",
      "receipts",
      "quotas",
      "alerting",
      "usage",
      "signin",
      "dashboards",
      "completeness",
      "metricstore",
      "metricstore :: druid",
      "metricstore :: iceberg"
    })
@NullMarked
package io.tidemark.platform.billing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
