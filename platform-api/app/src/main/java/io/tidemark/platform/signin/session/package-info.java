/** Browser sessions in PostgreSQL and the cookie that stands for one. */
@NullMarked
package io.tidemark.platform.signin.session;

import org.jspecify.annotations.NullMarked;
