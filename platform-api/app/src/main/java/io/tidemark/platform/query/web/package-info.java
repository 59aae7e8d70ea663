/** The generated interface of the contract, implemented. */
package io.tidemark.platform.query.web;
