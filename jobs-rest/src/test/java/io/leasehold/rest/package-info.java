@NullMarked
package io.leasehold.rest;

import org.jspecify.annotations.NullMarked;
