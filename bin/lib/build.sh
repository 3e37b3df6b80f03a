# Sourced by the launchers: builds the processes when their sources are newer than their jars.

build_stamp=$root/deploy/target/built
build_modules=(broker-adapter ingester watch-gateway deploy)

# Whether a jar is missing, or something that goes into it changed after both the jar and the last build: Maven leaves a jar alone whose
# content did not change.
build_is_stale() {
  local module jar newer
  [ -d "$root/deploy/kafka/target/lib" ] || return 0
  for module in "${build_modules[@]}"; do
    jar=$(compgen -G "$root/$module/target/*-SNAPSHOT.jar" | head -n 1)
    [ -n "$jar" ] || return 0
    [ "$module" = broker-adapter ] || [ -d "$root/$module/target/lib" ] || return 0
    newer=(-newer "$jar")
    [ ! -e "$build_stamp" ] || newer+=(-newer "$build_stamp")
    [ -z "$(find "$root/pom.xml" "$root/$module/pom.xml" "$root/$module/src/main" -type f "${newer[@]}" -print -quit)" ] || return 0
  done
  return 1
}

# Maven takes the default Java; where that one is too old or has no compiler, another is named.
choose_build_java() {
  local java
  if [ -n "${JAVA_HOME:-}" ] || { command -v javac >/dev/null 2>&1 && [ "$(java_version java)" -ge 17 ]; }; then
    return
  fi
  java=$(newest_java) || exit 1
  if [ -x "$(dirname "$java")/javac" ]; then
    JAVA_HOME=$(cd "$(dirname "$java")/.." && pwd)
    export JAVA_HOME
  fi
}

build_processes() {
  local started=$SECONDS log=$root/deploy/target/build.log begun
  mkdir -p "$root/deploy/target"
  begun=$(mktemp)
  choose_build_java
  echo "Building (the first time Maven also downloads its plugins and libraries: some minutes; later about one minute)"
  # Tests are bin/verify's work.
  if ! (cd "$root" && mvn -B -ntp -Dmaven.test.skip=true -pl deploy,deploy/kafka -am package 2>&1) | tee "$log" |
    awk '/^\[INFO\] Building [^j]/ { sub(/^\[INFO\] /, "  "); sub(/ 0\..*\[/, " ["); print; fflush() }'; then
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2
    echo "The build failed; all of its output is in $log." >&2
    rm -f "$begun"
    exit 1
  fi
  mv "$begun" "$build_stamp"
  echo "Built in $((SECONDS - started)) s."
}
