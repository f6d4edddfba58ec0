package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs something at one of the times that it is to keep a state: the server is stopped by then. */
final class DisturbedStore implements StateStore {

  private final StateStore store;
  private final Disturbance disturbance;
  private int left;

  DisturbedStore(StateStore store, int at, Disturbance disturbance) {
    this.store = store;
    this.left = at;
    this.disturbance = disturbance;
  }

  /** What happens then. */
  @FunctionalInterface
  interface Disturbance {

    void happen() throws IOException, InterruptedException;
  }

  @Override
  public void save(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    left--;
    if (left == 0) {
      disturbance.happen();
    }
    store.save(key, folder);
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
