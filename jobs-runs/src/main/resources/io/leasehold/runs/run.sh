# Runs a command apart from whoever started it, and keeps what it ends with. Takes the run's folder,
# then the command. The first that makes "started" is the one that runs it.
folder=$1
shift
mkdir "$folder/started" 2>/dev/null || exit 0

# A signal to the group is for the command; this stays to tell how that ended.
trap : HUP INT TERM

started_at() {
  shift 21
  echo "$1"
}
{
  echo "$$"
  started_at $(cat "/proc/$$/stat")
  cat /proc/sys/kernel/random/boot_id
} >"$folder/process.new" && mv "$folder/process.new" "$folder/process" || exit 1

(
  cd "$folder/work" || exit 1
  unset OLDPWD
  # The names are letters, digits and underscores, and begin with none of ours.
  for LEASEHOLD_NAME in $LEASEHOLD_NAMES; do
    eval "export $LEASEHOLD_NAME=\"\$LEASEHOLD_ENV_$LEASEHOLD_NAME\"; unset LEASEHOLD_ENV_$LEASEHOLD_NAME"
  done
  unset LEASEHOLD_NAME LEASEHOLD_NAMES
  exec "$@"
) </dev/null >"$folder/log" 2>&1
echo "$?" >"$folder/exit.new" && mv "$folder/exit.new" "$folder/exit"
