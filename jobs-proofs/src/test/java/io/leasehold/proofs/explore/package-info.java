/**
 * Runs the statements of the queue side by side in every order, on a real server, and looks at what
 * they leave behind.
 */
@NullMarked
package io.leasehold.proofs.explore;

import org.jspecify.annotations.NullMarked;
