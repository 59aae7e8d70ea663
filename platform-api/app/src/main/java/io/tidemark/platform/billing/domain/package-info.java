/** Rules of plans, prices and invoices: numbers in, numbers out. Money is never a float. */
@NullMarked
package io.tidemark.platform.billing.domain;

import org.jspecify.annotations.NullMarked;
