/**
 * Invoices and costs as files: PDF for people, CSV for spreadsheets, FOCUS for tools of FinOps.
 * Pure: the same invoice gives the same bytes.
 */
@NullMarked
package io.tidemark.platform.billing.document;

import org.jspecify.annotations.NullMarked;
