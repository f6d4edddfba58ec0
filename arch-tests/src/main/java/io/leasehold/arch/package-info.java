/**
 * Rules about architecture for the CI of any module that uses Leasehold.
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
 * io.leasehold.arch.CodeRules}; those about source text stand in {@link
 * io.leasehold.arch.TidyRules}. A rule that had no class to look at fails.
 */
@NullMarked
package io.leasehold.arch;

import org.jspecify.annotations.NullMarked;
