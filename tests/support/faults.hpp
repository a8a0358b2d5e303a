// SPDX-License-Identifier: Apache-2.0
#pragma once
// The n-th call to files fails, or ends or stops the process there. Only in programs that are linked to test_faults.

enum class fault {
  none,          // calls are counted
  once,          // the n-th fails
  from_here_on,  // so do all after it
  halves,        // every read and write is of half of its bytes at most
  killed,        // the process ends there
  stopped        // it stops there, until SIGCONT
};
// Counts from 1. Until faults_end, which says how many calls were made.
void faults_begin(fault kind, long at, int error);
long faults_end();
// The name of the n-th.
char const* faulted_call();
