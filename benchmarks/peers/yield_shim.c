/* SPDX-License-Identifier: Apache-2.0 */
/* LD_PRELOAD for MPICH 4.0 (ch4:ucx), which spins without yielding when ranks outnumber cores: its two
 * yield settings have no effect there.  Gives the core away whenever UCX had nothing to do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*real)(void*);
  if (!real) real = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned did = real(worker);
  if (!did) sched_yield();
  return did;
}
