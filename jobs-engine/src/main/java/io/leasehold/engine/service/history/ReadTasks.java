package io.leasehold.engine.service.history;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.LIST_TASKS;
import static org.jooq.impl.DSL.trueCondition;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.TaskStatus;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Reads the state of a job's tasks, through {@code leasehold.list_tasks}. */
public final class ReadTasks {

  private ReadTasks() {}

  /**
   * Returns the latest state of each task in the order of the plan, if the caller may read the job.
   */
  public static Optional<List<JobTask>> read(ScopedTransaction tx, JobId id) {
    var tasks = LIST_TASKS.call(id.value());
    var rows =
        tx.dsl()
            .select(JOB_STATUS_V.JOB_ID)
            .select(tasks.fields())
            .from(JOB_STATUS_V)
            .leftJoin(tasks)
            .on(trueCondition())
            .where(JOB_STATUS_V.JOB_ID.eq(id))
            .orderBy(tasks.POSITION, tasks.TASK_ID)
            .fetch();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            rows.stream()
                .filter(row -> row.get(LIST_TASKS.TASK_ID) != null) // The job has no tasks.
                .map(ReadTasks::task)
                .toList());
  }

  private static JobTask task(Record row) {
    return new JobTask(
        row.get(LIST_TASKS.TASK_ID),
        row.get(LIST_TASKS.POSITION),
        TaskStatus.of(row.get(LIST_TASKS.STATUS)),
        row.get(LIST_TASKS.ATTEMPT),
        row.get(LIST_TASKS.AT).toInstant(),
        Optional.ofNullable(row.get(LIST_TASKS.SNAPSHOT)),
        Optional.ofNullable(row.get(LIST_TASKS.ERROR)));
  }
}
