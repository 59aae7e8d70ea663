/** The generated interface of the contract, implemented. */
@NullMarked
package io.tidemark.platform.query.web;

import org.jspecify.annotations.NullMarked;
