/**
 * Support for the tests of applications that use the platform: a migrated database for each test
 * class.
 */
@NullMarked
package io.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
