# Sourced by check and run: finds a JDK 25 and a Gradle, or says in one sentence what is missing.

die() {
  echo "$0: $*" >&2
  exit 1
}

is_jdk_25() {
  [ -x "$1/bin/javac" ] && grep -qs '^JAVA_VERSION="25[".]' "$1/release"
}

find_jdk() {
  on_path=$(command -v javac) && on_path=$(readlink -f "$on_path") && on_path=${on_path%/bin/javac}
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /opt/*jdk* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if is_jdk_25 "$home"; then
      JAVA_HOME=$home
      export JAVA_HOME
      return
    fi
  done
  die "no JDK 25 found: install one, or set JAVA_HOME to it"
}

# The wrapper's distribution is asked for once a day where it cannot be had and another Gradle works.
wrapper_works() {
  refused=$(gradle_home)/wrapper-refused
  if [ -n "$(find "$refused" -mtime -1 2>/dev/null)" ] && gradle_works; then return 1; fi
  if ./gradlew --version >/dev/null 2>&1; then return; fi
  : >"$refused"
  return 1
}

# Only Debian's 4.4.1, which Debian mends for each new JDK, and 9.1 or newer run on JDK 25.
gradle_works() {
  command -v gradle >/dev/null || return 1
  case $(gradle --version 2>/dev/null | sed -n 's/^Gradle //p') in
    4.4.1 | 9.[1-9]* | [1-9][0-9].*) return 0 ;;
    *) return 1 ;;
  esac
}

gradle_home() {
  echo "${GRADLE_USER_HOME:-${HOME:-/nonexistent}/.gradle}"
}

# Gradle answers a folder that it cannot write with a page, and its wrapper with a stack trace.
require_writable() {
  [ -w . ] || die "user $(id -un) cannot write the folder $PWD: make a clone that belongs to that user"
  { mkdir -p "$(gradle_home)" && [ -w "$(gradle_home)" ]; } 2>/dev/null ||
    die "user $(id -un) cannot write Gradle's folder $(gradle_home): set GRADLE_USER_HOME to one which that user can write"
}

find_gradle() {
  require_writable
  if wrapper_works; then
    GRADLE=./gradlew
  elif gradle_works; then
    GRADLE=gradle
  elif can_install && install gradle && gradle_works; then
    GRADLE=gradle
  else
    die "no Gradle found: ./gradlew cannot download one, so install Debian's package gradle, or Gradle 9.1 or newer"
  fi
}

# One test needs it, and is skipped where it cannot be had.
find_pgbouncer() {
  PATH=$PATH:/usr/sbin command -v pgbouncer >/dev/null || { can_install && install pgbouncer; } || :
}

# A server that compiles statements by LLVM, which the embedded one cannot. The package's own cluster is
# not made: the server is started on data of its own.
find_postgresql() {
  look_for_postgresql || { can_install && install_postgresql && look_for_postgresql; } ||
    die "no PostgreSQL with LLVM found: install Debian's package postgresql-15, or name other proofs than jit and clock-back"
}

look_for_postgresql() {
  for programs in /usr/lib/postgresql/*/bin; do
    [ ! -r "$programs/../lib/llvmjit.so" ] || [ ! -x "$programs/initdb" ] || return 0
  done
  return 1
}

install_postgresql() {
  [ -e /etc/postgresql-common/createcluster.conf ] || {
    mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  }
  install postgresql-15
}

# Sets a process's clock wrong, in the proofs of clocks and of cron.
find_faketime() {
  look_for_faketime || { can_install && install libfaketime && look_for_faketime; } ||
    die "no libfaketime found: install Debian's package libfaketime, or name other proofs than clocks, clock-back and cron"
}

look_for_faketime() {
  for faketime in /usr/lib/*/faketime/libfaketimeMT.so.1 /usr/lib*/faketime/libfaketimeMT.so.1 \
    /usr/local/lib/faketime/libfaketimeMT.so.1; do
    [ ! -r "$faketime" ] || return 0
  done
  return 1
}

can_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

install() {
  echo "installing Debian's package $1" >&2
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"; } >/dev/null 2>&1
}

# An old Gradle's daemon keeps the environment it was started in: what tests look at there asks for a
# new process.
gradle_() {
  if env | grep -q '^\(LEASEHOLD_TEST_\|DOCKER_\|TESTCONTAINERS_\)'; then set -- --no-daemon "$@"; fi
  "$GRADLE" -I gradle/debian.init.gradle "$@"
}
