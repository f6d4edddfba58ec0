package io.leasehold.downloads;

/**
 * A file that was downloaded: an output of the job.
 *
 * @param name of the output
 * @param size in bytes
 * @param sha256 its digest, in 64 hexadecimal digits
 */
public record Downloaded(String name, long size, String sha256) {}
