#!/usr/bin/env bash
# check_state.sh LIBRARY MOST: checks that the loaded library has at most MOST bytes of writable data.
set -eu
bytes=0
while read -r size; do
    bytes=$((bytes + 16#$size))
done < <(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ { print $5 }')
echo "$bytes bytes"
if [ "$bytes" -eq 0 ] || [ "$bytes" -gt "$2" ]; then
    echo "more than $2, or none found: see nm for symbols of the kinds b and d"
    exit 1
fi
