# Sourced by the launchers: installs what is missing on Debian and Ubuntu, and says elsewhere what to install.

missing_packages=()

# package_for COMMAND PACKAGE: notes the package when the command is missing.
package_for() {
  command -v "$1" >/dev/null 2>&1 || missing_packages+=("$2")
}

packages_for_java() {
  newest_java >/dev/null 2>&1 || missing_packages+=("$(jdk_package)")
}

packages_for_javac() {
  command -v javac >/dev/null 2>&1 || [ -x "${JAVA_HOME:-/nonexistent}/bin/javac" ] || missing_packages+=("$(jdk_package)")
}

# Debian 12's JDK, or the newest one that the system has.
jdk_package() {
  local version
  for version in 17 21 25; do
    if apt-cache show "openjdk-$version-jdk-headless" >/dev/null 2>&1; then
      echo "openjdk-$version-jdk-headless"
      return
    fi
  done
  echo openjdk-17-jdk-headless
}

# Installs what was noted. One update of the package lists is enough for a run.
install_packages() {
  [ ${#missing_packages[@]} -gt 0 ] || return 0
  local packages=() package as_root=()
  for package in "${missing_packages[@]}"; do
    case " ${packages[*]-} " in *" $package "*) ;; *) packages+=("$package") ;; esac
  done
  missing_packages=()
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing here: ${packages[*]} (names of Debian packages). Install a JDK 17 or newer, Maven 3.8 or newer, and etcd 3.4 or newer with etcdctl." >&2
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      echo "Missing here: ${packages[*]}. Install them as root: apt-get install ${packages[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${packages[*]} (a minute or two; the output goes to ${TMPDIR:-/tmp}/watershed-apt.log)"
  local log=${TMPDIR:-/tmp}/watershed-apt.log started=$SECONDS
  # A package that brings a service must not start it: the quick start runs its own.
  local policy=/usr/sbin/policy-rc.d made_policy=no
  if [ ! -e "$policy" ] && printf '#!/bin/sh\nexit 101\n' | ${as_root[@]+"${as_root[@]}"} tee "$policy" >/dev/null 2>&1; then
    ${as_root[@]+"${as_root[@]}"} chmod +x "$policy"
    made_policy=yes
  fi
  local result=0
  { ${as_root[@]+"${as_root[@]}"} apt-get update &&
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1 || result=$?
  [ "$made_policy" = no ] || ${as_root[@]+"${as_root[@]}"} rm -f "$policy"
  if [ "$result" -ne 0 ]; then
    tail -n 20 "$log" >&2
    echo "Installing failed. Install by hand: ${packages[*]}" >&2
    exit 1
  fi
  echo "Installed in $((SECONDS - started)) s."
}
