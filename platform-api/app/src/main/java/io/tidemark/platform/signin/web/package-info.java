/** What stands between browsers and the application, and the pages on the way in. */
package io.tidemark.platform.signin.web;
