package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Breaks at one of the times that it is to keep something: before that, or right after. */
final class BreakingStore implements StateStore {

  private final StateStore store;
  private final boolean saves;
  private int left;

  BreakingStore(StateStore store, int at, boolean saves) {
    this.store = store;
    this.left = at;
    this.saves = saves;
  }

  @Override
  public void save(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    left--;
    if (left != 0 || saves) {
      store.save(key, folder);
    }
    if (left == 0) {
      throw new IOException("broken");
    }
  }

  @Override
  public List<SnapshotKey> kept(TenantId tenant, JobId job) throws IOException {
    return store.kept(tenant, job);
  }

  @Override
  public void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    store.restore(key, folder);
  }

  @Override
  public void delete(SnapshotKey key) throws IOException {
    store.delete(key);
  }

  @Override
  public void visit(Visitor visitor) throws IOException, InterruptedException {
    store.visit(visitor);
  }

  @Override
  public void deleteAll(TenantId tenant, JobId job) throws IOException, InterruptedException {
    store.deleteAll(tenant, job);
  }

  @Override
  public void deleteLeftOver(TenantId tenant, JobId job) throws IOException, InterruptedException {
    store.deleteLeftOver(tenant, job);
  }
}
