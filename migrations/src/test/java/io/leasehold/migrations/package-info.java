@NullMarked
package io.leasehold.migrations;

import org.jspecify.annotations.NullMarked;
