#!/usr/bin/env bash
# check_criterion.sh TESTS_DIR: checks that the stand-in for Criterion in ports/ has all that the unit tests use.
# Without this check, only builds for other processors would fail.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -rhoE '\bcr_[a-z_]+\(' unit --include='*.[ch]' | tr -d '(' | sort -u >"$work/used"
grep -hoE '^#define cr_[a-z_]+' ports/criterion/criterion/criterion.h | cut -d' ' -f2 | sort -u >"$work/known"
[ -s "$work/used" ] || { echo "nothing is used: the check itself is wrong" && exit 1; }
comm -23 "$work/used" "$work/known" >"$work/missing"
[ ! -s "$work/missing" ] || { echo "ports/criterion/criterion/criterion.h lacks:" && cat "$work/missing" && exit 1; }
