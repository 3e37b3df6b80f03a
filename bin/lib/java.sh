# Sourced by the launchers: which JDK to run with.

# Prints the feature version of a java binary: 17, 25.
java_version() {
  local line
  line=$("$1" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  echo "${line:-0}"
}

# Prints the path of the newest java that is 17 or newer; says what to do when there is none.
newest_java() {
  local candidate real version best='' best_version=16 seen=' '
  for candidate in "${JAVA_HOME:-/nonexistent}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*/bin/java \
    /opt/*/bin/java "$HOME"/.sdkman/candidates/java/*/bin/java /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java; do
    [ -x "$candidate" ] || continue
    real=$(readlink -f "$candidate")
    case $seen in *" $real "*) continue ;; esac
    seen="$seen$real "
    version=$(java_version "$real")
    if [ "$version" -gt "$best_version" ]; then
      best=$real
      best_version=$version
    fi
  done
  if [ -z "$best" ]; then
    echo "There is no Java 17 or newer here; install a JDK (Debian and Ubuntu: apt-get install openjdk-17-jdk-headless)." >&2
    return 1
  fi
  echo "$best"
}

# Options that keep a java of this path from warning, on standard error, of what libraries do on purpose.
quiet_options() {
  if [ "$(java_version "$1")" -ge 24 ]; then
    echo --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  fi
}
