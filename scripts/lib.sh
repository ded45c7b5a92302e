# What ./run, ./test and ./bench share.

say() { echo "grappe: $*" >&2; }
die() { say "$*"; exit 1; }

# The packages that building and running need (Debian 12).
packages() { grep -v '^#' "$here/scripts/packages.txt"; }

install_packages() {
  command -v dpkg-query >/dev/null || die "this is not Debian: install the packages of scripts/packages.txt by hand"
  local missing=() name
  for name in $(packages) "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || die "missing packages; as root: apt-get install --no-install-recommends ${missing[*]}"
  say "installing ${#missing[@]} packages"
  local log policy=/usr/sbin/policy-rc.d code=0; log=$(mktemp)
  # What is installed is for our use: no service of a package is started, now or at the next boot.
  if [ -e $policy ]; then policy=; else printf '#!/bin/sh\nexit 101\n' >$policy; chmod 755 $policy; fi
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 || code=$?
  [ -z "$policy" ] || rm -f $policy
  local service
  for service in slurmctld slurmd slurmdbd munge postgresql; do
    [[ " ${missing[*]} " != *" $service "* ]] || systemctl disable "$service" >/dev/null 2>&1 || true
  done
  [ $code = 0 ] || { tail -n 20 "$log" >&2; rm -f "$log"; die "apt-get failed"; }
  rm -f "$log"
}

# build TARGET...: into build/, `all` with the tests or only the `programs`.
build() {
  [ -w "$here" ] || die "$here belongs to someone else, and the build goes there: clone it to a folder of yours"
  [ -f "$here/build/build.ninja" ] || cmake -S "$here" -B "$here/build" -G Ninja >/dev/null
  say "building ($*); minutes the first time, seconds after"
  if [ -t 1 ]; then
    NINJA_STATUS='%p ' ninja -C "$here/build" "$@"
  else
    ninja -C "$here/build" --quiet "$@"
  fi
}

# Services side by side need cgroup names of their own: one for each state folder.
cgroup_suffix() {
  [ "$1" = /var/lib/grappe ] || printf -- '-%s' "$(printf %s "$1" | cksum | cut -d' ' -f1)"
}
