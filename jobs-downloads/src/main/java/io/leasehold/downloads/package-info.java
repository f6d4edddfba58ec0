/** A handler that downloads large files over HTTP and resumes interrupted downloads. */
@NullMarked
package io.leasehold.downloads;

import org.jspecify.annotations.NullMarked;
