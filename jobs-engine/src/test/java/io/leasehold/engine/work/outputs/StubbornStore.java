package io.leasehold.engine.work.outputs;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.OutputStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Has files of jobs that are gone, and removes none of the first that it is asked for. */
final class StubbornStore implements OutputStore {

  static final List<JobId> JOBS =
      List.of(new JobId(new UUID(1, 1)), new JobId(new UUID(1, 2)), new JobId(new UUID(1, 3)));

  private static final TenantId TENANT = new TenantId(new UUID(2, 2));

  private final List<JobId> asked = new ArrayList<>();

  /** Of which jobs it was asked to remove files. */
  List<JobId> asked() {
    return asked;
  }

  @Override
  public void visit(Visitor visitor) throws IOException {
    for (var job : JOBS) {
      visitor.job(TENANT, job, List.of("output-1-0"));
    }
  }

  @Override
  public void remove(TenantId tenant, JobId job, Set<String> files) throws IOException {
    asked.add(job);
    if (asked.size() == 1) {
      throw new IOException("permission denied");
    }
  }

  @Override
  public NewFile create(TenantId tenant, JobId job, String file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public InputStream open(TenantId tenant, JobId job, String file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long length(TenantId tenant, JobId job, String file) {
    throw new UnsupportedOperationException();
  }
}
