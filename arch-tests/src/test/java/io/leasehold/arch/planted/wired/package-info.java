/** A front door whose Guice module wires what stands below it. */
@NullMarked
package io.leasehold.arch.planted.wired;

import org.jspecify.annotations.NullMarked;
