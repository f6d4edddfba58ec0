package io.leasehold.proofs.explore;

import java.util.List;

/**
 * What is in the database when the operations are over.
 *
 * @param known whether there is a row of what was asked
 * @param places the states that the job is in
 * @param attempts as counted in its place
 * @param status how it ended, or empty
 * @param isLeasedByA whether A's lease holds
 * @param isAsPut whether B's lease is as it was in the beginning
 * @param endedByA whether an end of A's attempt is written, other than that it was lost or given
 *     back
 * @param requests how many want its end
 * @param belongings how many rows belong to the job besides
 * @param dangling how many keys stand for no job
 * @param told how many events A told
 * @param kept how many steps and checkpoints A kept
 * @param wrongDependents what is wrong with those that wait for the job, or did
 */
record Found(
    boolean known,
    List<String> places,
    int attempts,
    String status,
    boolean isLeasedByA,
    boolean isAsPut,
    boolean endedByA,
    int requests,
    int belongings,
    int dangling,
    int told,
    int kept,
    List<String> wrongDependents) {

  Found {
    places = List.copyOf(places);
    wrongDependents = List.copyOf(wrongDependents);
  }

  boolean isIn(String place) {
    return places.contains(place);
  }
}
