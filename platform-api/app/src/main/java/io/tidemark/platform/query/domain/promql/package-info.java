/**
 * The part of PromQL that is answered: its text, what it means, and arithmetic of series. Pure;
 * what series hold comes from outside.
 */
package io.tidemark.platform.query.domain.promql;
