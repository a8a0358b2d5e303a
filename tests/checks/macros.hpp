// SPDX-License-Identifier: Apache-2.0
#pragma once
// Macros that a user's file may have in front of Tessera's headers: those of a system's headers, and names that X11's define.
// None is not among them: Kokkos has it.

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/param.h>
#include <termios.h>
#if __has_include(<sys/sysmacros.h>)
#include <sys/sysmacros.h>
#endif

#define Always 2
#define Bool int
#define False 0
#define Status int
#define Success 0
#define True 1
