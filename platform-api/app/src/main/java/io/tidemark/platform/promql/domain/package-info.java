/** The part of PromQL that is answered: its text, what it means, and arithmetic of series. Pure. */
package io.tidemark.platform.promql.domain;
