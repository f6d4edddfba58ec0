@NullMarked
package io.leasehold.rest.settings;

import org.jspecify.annotations.NullMarked;
