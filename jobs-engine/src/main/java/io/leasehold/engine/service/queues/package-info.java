/** What operators do with queues and see of workers. */
@NullMarked
package io.leasehold.engine.service.queues;

import org.jspecify.annotations.NullMarked;
