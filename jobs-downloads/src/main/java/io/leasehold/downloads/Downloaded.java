package io.leasehold.downloads;

/**
 * A downloaded file, which is an output of the job.
 *
 * @param name the name of the output
 * @param size the size in bytes
 * @param sha256 its digest, in 64 hexadecimal digits
 */
public record Downloaded(String name, long size, String sha256) {}
