/** Browser sessions in PostgreSQL and the cookie that stands for one. */
package io.tidemark.platform.signin.session;
