#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parse_only.sh <compiler> <options> -o <object>: the compiler's errors without its code, in half the time. The object is empty.
object="" previous=""
for word in "$@"; do
  if [ "$previous" = -o ]; then object=$word; fi
  previous=$word
done
"$@" -fsyntax-only && : > "$object"
