/** Rules of plans, prices and invoices: numbers in, numbers out. Money is never a float. */
package io.tidemark.platform.billing.domain;
