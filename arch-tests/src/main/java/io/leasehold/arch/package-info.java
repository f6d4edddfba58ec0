/**
 * Architecture rules for the CI of any module that uses Leasehold.
 *
 * <p>A module applies all of them with one test class, and needs ArchUnit and JUnit for it:
 *
 * {@snippet :
 * class ArchitectureTest {
 *   @TestFactory
 *   Stream<DynamicTest> rules() {
 *     return ModuleRules.of("com.acme.orders").atLeast(20).tests();
 *   }
 * }
 * }
 *
 * <p>Single rules are methods of {@link io.leasehold.arch.DatabaseRules}, {@link
 * io.leasehold.arch.StructureRules}, {@link io.leasehold.arch.StyleRules} and {@link
 * io.leasehold.arch.CodeRules}; rules about source text are in {@link io.leasehold.arch.TidyRules}.
 * A rule that had no class to check fails.
 */
@NullMarked
package io.leasehold.arch;

import org.jspecify.annotations.NullMarked;
