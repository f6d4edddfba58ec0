package io.leasehold.downloads.address;

import io.leasehold.jobs.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Resolves a host to the addresses that may be contacted: those of the public internet, and of
 * networks that the deployment allows. Safe to share between threads.
 */
public final class AllowedAddresses {

  private final PublicAddresses open = new PublicAddresses();
  private final List<Network> networks;
  private final Names names;

  /** Resolves names. */
  @FunctionalInterface
  public interface Names {

    /** Returns all addresses of a name, or the address that the name itself denotes. */
    InetAddress[] addresses(String name) throws UnknownHostException;
  }

  /**
   * Creates a filter that resolves names with {@code names}.
   *
   * @param networks networks that may be contacted in addition to the public internet
   */
  public AllowedAddresses(List<Network> networks, Names names) {
    this.networks = List.copyOf(networks);
    this.names = names;
  }

  /**
   * Returns the only addresses that the client may connect to: resolving the name again could give
   * another result.
   *
   * @throws PermanentFailure if the name has addresses, but none that may be contacted
   * @throws IOException if the name cannot be resolved currently
   */
  public List<InetAddress> of(String host) throws IOException {
    var all = List.of(resolved(host));
    var allowed = all.stream().filter(this::isAllowed).toList();
    if (allowed.isEmpty()) {
      // The address is not reported: names inside a network are not to be disclosed outside.
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
    return open.has(address) || networks.stream().anyMatch(network -> network.has(address));
  }
}
