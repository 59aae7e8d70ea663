/** The language of queries: intervals, granularities, filters, the checked plan. Pure. */
package io.tidemark.platform.query.domain;
