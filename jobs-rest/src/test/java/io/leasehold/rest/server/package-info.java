/** Tests of the server against whatever may come. */
@NullMarked
package io.leasehold.rest.server;

import org.jspecify.annotations.NullMarked;
