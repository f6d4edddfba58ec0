# Adds up the results that the test tasks left, and says so in the last line. $1: how the build ended.
# Only those of modules that are still there count: a build keeps what it left of others. Within a module
# the test task takes its old results away.
reports() {
  sed -n "s/^include '\(.*\)'/\1/p" settings.gradle | while read -r module; do
    [ -d "$module/src/test" ] || continue
    find "$module/build/test-results/test" -name 'TEST-*.xml' 2>/dev/null
  done
}

attribute() {
  reports | tr '\n' '\0' | xargs -0 -r sed -n "s/.*<testsuite [^>]*[ ]$1=\"\([0-9]*\)\".*/\1/p" |
    awk '{ sum += $1 } END { print sum + 0 }'
}

tests=$(attribute tests)
skipped=$(attribute skipped)
failed=$(($(attribute failures) + $(attribute errors)))
passed=$((tests - skipped - failed))

# Names those that failed once more, with what they said: their own words are far above by now.
reports | tr '\n' '\0' | xargs -0 -r awk '
  /<testcase / {
    name = $0; sub(/.*[ ]name="/, "", name); sub(/".*/, "", name)
    type = $0; sub(/.*classname="/, "", type); sub(/".*/, "", type)
  }
  /<(failure|error)[ >]/ {
    said = $0; sub(/.*<(failure|error)( message="|>)?/, "", said); sub(/".*/, "", said)
    print "failed: " type "." name ": " substr(said, 1, 500)
  }'

# A build that fails without a failed test (format, analysis, stale code) is a failure all the same.
if [ "$1" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi

if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ "$1" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
