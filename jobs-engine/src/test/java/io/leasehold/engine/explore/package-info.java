/**
 * Runs the statements of the queue side by side in every order, on a real server, and looks at what
 * they leave behind.
 */
@NullMarked
package io.leasehold.engine.explore;

import org.jspecify.annotations.NullMarked;
