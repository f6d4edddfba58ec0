package io.leasehold.engine.work.outputs;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.work.outputs.files.FirstBytes;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.outputs.OpenOutput;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** Reads the outputs of jobs from the database, and their bytes from the store. */
public final class StoredOutputs implements JobOutputs {

  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  /**
   * The maximum number of tries to open a file, because it may be replaced between lookup and
   * opening.
   */
  private static final int TRIES = 3;

  private final Transactions transactions;
  private final OutputTerms terms;

  @Inject
  StoredOutputs(Transactions transactions, OutputTerms terms) {
    this.transactions = transactions;
    this.terms = terms;
  }

  @Override
  public Optional<List<JobOutput>> list(SecurityContext caller, JobId job) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ReadOutputs.list(tx, job));
  }

  @Override
  public Optional<OpenOutput> open(SecurityContext caller, JobId job, String name) {
    return JobOutput.isName(name) ? open(caller, job, name, TRIES) : Optional.empty();
  }

  private Optional<OpenOutput> open(SecurityContext caller, JobId job, String name, int tries) {
    var found = transactions.asTenant(caller, ONE_STATEMENT, tx -> ReadOutputs.find(tx, job, name));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(opened(job, found.get()));
    } catch (NoSuchFileException e) {
      if (tries > 1) {
        return open(caller, job, name, tries - 1);
      }
      throw unavailable(job, e);
    } catch (IOException e) {
      throw unavailable(job, e);
    }
  }

  private OpenOutput opened(JobId job, ReadOutputs.Named named) throws IOException {
    var bytes = terms.requireStore().open(named.tenant(), job, named.file());
    return new OpenOutput(named.output(), new FirstBytes(bytes, named.output().size()));
  }

  private static JobsException unavailable(JobId job, IOException cause) {
    return new JobsException(
        ErrorCode.OUTPUT_UNAVAILABLE, "a file of job %s cannot be opened".formatted(job), cause);
  }
}
