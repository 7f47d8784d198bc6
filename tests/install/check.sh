#!/usr/bin/env bash
#
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What holds for the library as it is installed. usage: check.sh FOLDER CASE
# FOLDER is for builds; `staged` installs the release that is configured beside it, in FOLDER/../release with
# the prefix FOLDER/prefix, and must come first among those that use what it installs:
#
#   staged, metadata, shared, static, uninstalled;   subproject;   reproducible;   dist
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
mkdir -p "$1"
folder=$(readlink -f "$1")
prefix=$folder/prefix
stage=$(readlink -m "$folder/../release")
release=(-Dbuildtype=plain -Doptimization=2 -Ddebug=true)
small=(-Dtests=disabled -Dexamples=disabled)

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# Asks for nsdyn where it was installed, for everything else where it always is.
pkg() {
  PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config "$@"
}

# A copy of the tree without what is built or belongs to git.
copy_tree() {
  mkdir -p "$1"
  tar -C "$root" -cf - --exclude=./build --exclude=./.git --exclude=__pycache__ . | tar -C "$1" -xf -
}

version_of_project() {
  sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build" | head -n 1
}

# A stranger's folder of its own next to ours must survive.
staged() {
  ninja -C "$stage" library
  rm -rf "$prefix"
  mkdir -p "$prefix/lib/other"
  meson install -C "$stage" --no-rebuild
}

metadata() {
  local soname
  pkg --validate nsdyn
  [ "$(pkg --modversion nsdyn)" = "$(version_of_project)" ] ||
    fail "pkg-config says release $(pkg --modversion nsdyn), meson.build $(version_of_project)"
  soname=$(readelf -d "$prefix/lib/libnsdyn.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
  [ "$soname" = libnsdyn.so.0 ] || fail "the soname is $soname"
  [ -e "$prefix/lib/libnsdyn.so.0" ] || fail 'libnsdyn.so.0 is not installed'
  if readelf -d "$prefix/lib/libnsdyn.so" | grep -E 'RPATH|RUNPATH'; then
    fail 'the library carries a path to look for others'
  fi
  for header in "$root"/include/nsdyn/*.h; do
    cmp "$header" "$prefix/include/nsdyn/$(basename "$header")"
  done
  if grep -rnF -e "$root/lib" -e "$root/include" -e "$stage" "$prefix"; then
    fail 'something installed names the folder it was built from'
  fi
}

# linked [--static]: builds the driver with nothing but the compiler and pkg-config, and runs it.
linked() {
  local away output
  away=$(mktemp -d)
  cp "$here/driver.c" "$away"
  (
    cd "$away"
    # Word splitting is what every Makefile does here.
    # shellcheck disable=SC2046
    cc driver.c $(pkg --cflags --libs "$@" nsdyn) ${1:+-static} -o driver
    output=$(LD_LIBRARY_PATH=$prefix/lib ./driver)
    [ "$output" = "$(version_of_project)" ] || fail "the driver says '$output'"
  )
  readelf -d "$away/driver" >"$folder/driver.dynamic"
  rm -rf "$away"
}

shared() {
  linked
  grep -q 'NEEDED.*\[libnsdyn.so.0\]' "$folder/driver.dynamic" || fail 'the driver does not need libnsdyn.so.0'
  if grep 'NEEDED.*gsl' "$folder/driver.dynamic"; then
    fail 'a user of nsdyn is linked with GSL'
  fi
}

static() {
  linked --static
  grep -q 'no dynamic section' "$folder/driver.dynamic" || fail 'the driver is not fully static'
}

uninstalled() {
  local left
  ninja -C "$stage" uninstall
  left=$(cd "$prefix" && find . | sort | tr '\n' ' ')
  [ "$left" = '. ./lib ./lib/other ' ] || fail "what is left: $left"
}

subproject() {
  local parent=$folder/parent
  rm -rf "$parent"
  mkdir -p "$parent/subprojects"
  cp "$here/parent/meson.build" "$here/driver.c" "$parent"
  copy_tree "$parent/subprojects/nsdyn"
  meson setup "$parent/build" "$parent" -Doptimization=0
  if meson test -C "$parent/build" --no-rebuild --list | grep nsdyn; then
    fail 'a subproject brings its tests though nobody asked for them'
  fi
  meson test -C "$parent/build" --print-errorlogs driver
}

# Twice the same sources, at two depths, built inside and beside them.
reproducible() {
  local one=$folder/one two=$folder/two/in/a/much/longer/path
  rm -rf "$folder/one" "$folder/two"
  copy_tree "$one"
  copy_tree "$two/source"
  meson setup "$one/build" "$one" "${release[@]}" "${small[@]}"
  meson setup "$two/beside" "$two/source" "${release[@]}" "${small[@]}"
  ninja -C "$one/build"
  ninja -C "$two/beside"
  (
    cd "$one/build/lib"
    for file in libnsdyn.so.*[0-9] libnsdyn.a; do
      cmp "$file" "$two/beside/lib/$file"
    done
  )
}

dist() {
  cd "$root"
  git rev-parse --git-dir >/dev/null || fail 'a distribution is made from a clone, and this is none'
  [ -z "$(git status --porcelain)" ] ||
    fail "a distribution holds what is committed; commit these first, or stash them: $(git status --short)"
  rm -rf "$folder/dist"
  # Whether all is in it that the tests need: -O2 and equal bits are judged elsewhere, and take their time.
  meson setup "$folder/dist" "$root" "${release[@]}" -Doptimization=1
  NSDYN_TEST_SCALE=0.1 NSDYN_GOLDEN_BUILDS=here meson dist -C "$folder/dist" --formats gztar
}

case $2 in
staged | metadata | shared | static | uninstalled | subproject | reproducible | dist) "$2" ;;
*) fail "there is no case $2" ;;
esac
