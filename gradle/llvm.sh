# Sourced by check: a server that compiles statements by LLVM, as Debian packages it, on data of its own.

BUSY=4
WAITING_JOBS='*DependenciesTest *SettleNotesTest *ReuseTest *BatchesTest *BuildsAndRunsTest *DeadLettersTest'

# Runs the tests of jobs that wait for others on such a server, beside processes that keep processors busy.
check_on_llvm() {
  look_for_postgresql || { can_install && install_postgresql && look_for_postgresql; } || {
    echo "not run on a server with LLVM: Debian's package postgresql-15 is not installed" >&2
    return
  }
  trap stop_llvm EXIT
  trap 'exit 1' HUP INT TERM
  start_llvm
  busy=
  for _ in $(seq "$BUSY"); do
    while :; do :; done &
    busy="$busy $!"
  done
  set --
  for test in $WAITING_JOBS; do set -- "$@" --tests "$test"; done
  LEASEHOLD_TEST_JDBC_URL=jdbc:postgresql://localhost:$port/postgres LEASEHOLD_TEST_JDBC_PASSWORD=secret \
    gradle_ $proof -q :jobs-engine:test "$@"
  failure=$?
  stop_llvm
  trap - EXIT HUP INT TERM
  [ "$failure" != 0 ] || echo "tests of jobs that wait for others passed on $("$programs/postgres" --version), with LLVM"
  return "$failure"
}

start_llvm() {
  folder=$(mktemp -d)
  port=$((20000 + $$ % 20000))
  echo secret >"$folder/password"
  as=
  if [ "$(id -u)" = 0 ]; then # The server refuses to run as root.
    chown -R postgres: "$folder"
    as='setpriv --reuid=postgres --regid=postgres --clear-groups'
  fi
  (cd / && $as "$programs/initdb" -A scram-sha-256 --pwfile="$folder/password" -U postgres --locale=C.UTF-8 \
    "$folder/data" >/dev/null) || die "no data in $folder"
  (cd / && exec $as "$programs/postgres" -D "$folder/data" -p "$port" -c listen_addresses=localhost \
    -c unix_socket_directories= -c max_connections=300 >"$folder/log" 2>&1) &
  server=$!
  until "$programs/pg_isready" -q -h localhost -p "$port"; do
    kill -0 "$server" 2>/dev/null || die "the server does not start, see $folder/log"
    sleep 0.2
  done
}

stop_llvm() {
  for process in $busy; do kill "$process" 2>/dev/null; done
  busy=
  kill -INT "$server" 2>/dev/null
  wait "$server" 2>/dev/null
  rm -rf "$folder"
}
