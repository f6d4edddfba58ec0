package io.leasehold.plans;

/** When a plan's state is kept. */
public enum SnapshotMode {
  /** After each task in the state: none of them is ever done twice. */
  ALWAYS,
  /** After the last task: it is kept as the job left it, and what is interrupted begins anew. */
  FINAL,
  /** Never: it is gone with its attempt. */
  NONE
}
