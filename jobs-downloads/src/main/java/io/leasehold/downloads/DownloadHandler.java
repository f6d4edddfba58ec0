package io.leasehold.downloads;

import io.leasehold.downloads.address.AllowedAddresses;
import io.leasehold.downloads.address.Network;
import io.leasehold.downloads.http.Fetcher;
import io.leasehold.downloads.http.TransferRate;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;

/**
 * Downloads a file into an output of its job. An interrupted download resumes where it stopped,
 * even after its process was killed or on another machine, if the server still has the same file;
 * otherwise it starts over. Registered like any other handler:
 *
 * {@snippet :
 * handlerBinder(binder())
 *     .handle(DownloadHandler.TYPE)
 *     .with(new DownloadHandler(DownloadConfig.defaults()));
 * }
 *
 * <p>Contacts only addresses of the public internet and those that its configuration allows, for
 * redirects too. Safe to share between threads.
 */
public final class DownloadHandler implements JobHandler<Download, Downloaded> {

  /** The type of its jobs: ten attempts of six hours each, in the queue {@code downloads}. */
  public static final JobType<Download, Downloaded> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~leasehold.downloads.file.fetch.v1",
              Download.class,
              Downloaded.class)
          .queue("downloads")
          .timeout(Duration.ofHours(6))
          .retry(RetryPolicy.exponential(10))
          .check(Download::requireValid);

  private final DownloadConfig config;
  private final TransferRate pace;
  private final Fetcher fetcher;

  /** Creates a handler with a configuration. */
  public DownloadHandler(DownloadConfig config) {
    this(config, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault());
  }

  DownloadHandler(DownloadConfig config, AllowedAddresses.Names names, SSLSocketFactory tls) {
    var networks = config.networks().stream().map(Network::of).toList();
    this.config = config;
    this.pace =
        new TransferRate(
            config.connectTimeout(),
            config.headTimeout(),
            config.readTimeout(),
            config.leastRate());
    var allowed = new AllowedAddresses(networks, names);
    this.fetcher = new Fetcher(allowed, tls, pace, config.redirectsMost());
  }

  @Override
  public Downloaded run(JobContext job, Download input) throws IOException {
    try (var transfer = new Transfer(job, input, config, pace, fetcher)) {
      return transfer.run();
    }
  }
}
