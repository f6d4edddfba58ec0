package io.leasehold.downloads.address;

import io.leasehold.jobs.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host that may be asked: those of the open internet, and of networks that
 * the deployment allows. Safe to share between threads.
 */
public final class AllowedAddresses {

  private final PublicAddresses open = new PublicAddresses();
  private final List<Network> networks;
  private final Names names;

  /** Looks names up. */
  @FunctionalInterface
  public interface Names {

    /** All addresses of a name, or the one that it is. */
    InetAddress[] addresses(String name) throws UnknownHostException;
  }

  /**
   * By these names.
   *
   * @param networks that may be asked besides the open internet
   */
  public AllowedAddresses(List<Network> networks, Names names) {
    this.networks = List.copyOf(networks);
    this.names = names;
  }

  /**
   * The addresses to connect to, and to no other: whoever looked the name up again could be given
   * another answer.
   *
   * @throws PermanentFailure if there are addresses, and none that may be asked
   * @throws IOException if the name is not known at present
   */
  public List<InetAddress> of(String host) throws IOException {
    var all = List.of(resolved(host));
    var allowed = all.stream().filter(this::isAllowed).toList();
    if (allowed.isEmpty()) {
      // Which address it is is not told: names inside a network are nobody's business outside.
      throw new PermanentFailure("%s is at no address that may be asked".formatted(host));
    }
    return allowed;
  }

  private InetAddress[] resolved(String host) throws IOException {
    try {
      return names.addresses(host);
    } catch (UnknownHostException e) {
      throw new IOException("%s is not known at present".formatted(host), e);
    }
  }

  private boolean isAllowed(InetAddress address) {
    return open.has(address) || networks.stream().anyMatch(its -> its.has(address));
  }
}
