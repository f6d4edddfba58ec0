@NullMarked
package io.leasehold.rest.client;

import org.jspecify.annotations.NullMarked;
