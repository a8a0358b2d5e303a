// SPDX-License-Identifier: Apache-2.0
#pragma once
// What depends on the compiler, and nothing else: the only header that asks which one this is.

// One error, and nothing after it: a header that is not there. cmake/compiler.cmake says the same when it configures.
#if defined(__clang__) && __clang_major__ < 16 && !defined(__apple_build_version__)
#include <tessera: needs clang 16 or newer, this one is older. Fix: -D CMAKE_CXX_COMPILER=clang++-19>
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#include <tessera: needs g++ 12 or newer, this one is older. Fix: -D CMAKE_CXX_COMPILER=g++-12>
#endif

// Bytes of a device's blocks that small all_reduces may have together to go as one message; 0: each goes by itself.
#ifndef TESSERA_JOINED_BYTES
#define TESSERA_JOINED_BYTES 262144
#endif

// TESSERA_ACCELERATOR: programs of this file run on an accelerator: a GPU, or what a host with TESSERA_STAND_IN defined
// makes of itself so that device code can be tested (exec/device/stand_in.hpp).
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(TESSERA_STAND_IN)
#define TESSERA_ACCELERATOR
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TESSERA_FUNCTION __host__ __device__
#else
#define TESSERA_FUNCTION
#endif

// TESSERA_DEVICE_CODE: this pass compiles for a device; TESSERA_TRAP() ends its kernel.
#if defined(__CUDA_ARCH__)
#define TESSERA_DEVICE_CODE
#define TESSERA_TRAP() __trap()
#elif defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_DEVICE_CODE
#define TESSERA_TRAP() __builtin_trap()
#endif

// So many nodes of a traced program the constant that it is recorded into has room for; more are recorded a second time.
// nvcc's evaluator takes 36 KB for each, used or not; clang 19 some for each in every function that is traced, so that a file
// of a hundred small ones took 14 GB and four times as long with room for 16384. g++ pays for what is used.
#if defined(__CUDACC__)
#define TESSERA_ROOM 256
#elif defined(__clang__)
#define TESSERA_ROOM 1024
#else
#define TESSERA_ROOM 16384
#endif

// A friend function whose template argument is an address: declared on purpose (graph/op_type.hpp).
#if defined(__CUDACC__)
#define TESSERA_ALLOW_NON_TEMPLATE_FRIEND \
  _Pragma("nv_diag_suppress 1301") _Pragma("GCC diagnostic ignored \"-Wnon-template-friend\"")
#elif defined(__clang__)
#define TESSERA_ALLOW_NON_TEMPLATE_FRIEND
#else
#define TESSERA_ALLOW_NON_TEMPLATE_FRIEND _Pragma("GCC diagnostic ignored \"-Wnon-template-friend\"")
#endif

#if defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TESSERA_VECTORIZE  // instrumented loops are not vectorized, and clang warns of it
#else
#define TESSERA_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#endif
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define TESSERA_VECTORIZE _Pragma("GCC ivdep") _Pragma("GCC unroll 2")
#else
#define TESSERA_VECTORIZE
#endif

// Around headers whose loops are vectorized for types of the user's program: at -O1 clang says of each that it could not.
#if defined(__clang__)
#define TESSERA_LOOPS_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpass-failed\"")
#define TESSERA_LOOPS_END _Pragma("clang diagnostic pop")
#else
#define TESSERA_LOOPS_BEGIN
#define TESSERA_LOOPS_END
#endif

// Before a loop of a few turns, whose number is a constant: no loop is left.
#if defined(__clang__)
#define TESSERA_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define TESSERA_UNROLL _Pragma("GCC unroll 16")
#elif defined(__CUDA_ARCH__)
#define TESSERA_UNROLL _Pragma("unroll")
#else
#define TESSERA_UNROLL
#endif

// Whether thread sanitizer watches: clang's, which knows OpenMP.
#if defined(__clang__)
#if __has_feature(thread_sanitizer)
#define TESSERA_THREAD_SANITIZER true
#endif
#endif
#ifndef TESSERA_THREAD_SANITIZER
#define TESSERA_THREAD_SANITIZER false
#endif

// Before a loop whose rounds do not meet in memory: vector instructions, where the compiler finds that they pay.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TESSERA_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TESSERA_INDEPENDENT
#endif

// After a parameter that the result refers to: clang then warns where the result outlives the argument.
#if defined(__clang__)
#define TESSERA_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define TESSERA_LIFETIMEBOUND
#endif

// Run once or rarely: compiled for size, which is faster to compile.
// TESSERA_NOINLINE: a loop that many callers share. TESSERA_INLINE: part of a loop that is to be vectorized.
// TESSERA_FLATTEN: a function of such loops; all that they call becomes part of them, at -O2 too, where g++ leaves exp a call.
// TESSERA_INLINE_CALLS: before a statement whose calls become part of its function: clang leaves long functions calls.
#if defined(__clang__) && !defined(__CUDACC__)
#define TESSERA_INLINE_CALLS [[clang::always_inline]]
#else
#define TESSERA_INLINE_CALLS
#endif
#if defined(__GNUC__)
#define TESSERA_COLD __attribute__((cold))
#define TESSERA_NOINLINE __attribute__((noinline))
#define TESSERA_INLINE __attribute__((always_inline)) inline
#define TESSERA_FLATTEN __attribute__((flatten))
#else
#define TESSERA_COLD
#define TESSERA_NOINLINE
#define TESSERA_INLINE inline
#define TESSERA_FLATTEN
#endif

// Before the definition of a function that nothing calls often and every program has: in tessera::engine, if the program
// is linked with it, else inline.
#ifdef TESSERA_SEPARATE_ENGINE
#define TESSERA_ENGINE
#else
#define TESSERA_ENGINE inline
#endif

// Before a function of the engine that is compiled for a level of x86-64 above that of the compiler's flags, with all it
// calls: base/level.hpp. Without FMA: a level changes no result. g++ tunes for 256 bits where it is not told.
#if defined(TESSERA_SEPARATE_ENGINE) && defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define TESSERA_V3_INSTRUCTIONS "avx2,bmi,bmi2,lzcnt,movbe"
#define TESSERA_V4_INSTRUCTIONS TESSERA_V3_INSTRUCTIONS ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
#if !defined(__AVX2__)
#define TESSERA_FOR_V3 __attribute__((flatten, target(TESSERA_V3_INSTRUCTIONS)))
#endif
#if !defined(__AVX512F__) && defined(__clang__)
#define TESSERA_FOR_V4 __attribute__((flatten, target(TESSERA_V4_INSTRUCTIONS)))
#elif !defined(__AVX512F__)
#define TESSERA_FOR_V4 __attribute__((flatten, target(TESSERA_V4_INSTRUCTIONS ",prefer-vector-width=512")))
#endif
#endif

// After a type in a declaration: as many of it as a register holds, with arithmetic element by element. Else one.
#if !defined(__GNUC__) || defined(__CUDACC__)
#define TESSERA_VECTOR
#define TESSERA_WITHOUT_VECTORS
#elif defined(__AVX512F__)
#define TESSERA_VECTOR __attribute__((vector_size(64)))
#elif defined(__AVX__)
#define TESSERA_VECTOR __attribute__((vector_size(32)))
#else
#define TESSERA_VECTOR __attribute__((vector_size(16)))
#endif

// How this file is compiled, as far as the functions of headers differ with it: exec/device/configuration.hpp.
#ifdef TESSERA_SEPARATE_ENGINE
#define TESSERA_CONFIGURED_ENGINE "with tessera::engine"
#else
#define TESSERA_CONFIGURED_ENGINE "headers alone"
#endif
#if defined(__CUDACC__)
#define TESSERA_CONFIGURED_VECTOR ", nvcc"
#elif defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define TESSERA_CONFIGURED_VECTOR ", x86-64-v4"
#elif defined(__AVX512F__)
#define TESSERA_CONFIGURED_VECTOR ", AVX-512"
#elif defined(__AVX2__) && defined(__BMI2__)
#define TESSERA_CONFIGURED_VECTOR ", x86-64-v3"
#elif defined(__AVX2__)
#define TESSERA_CONFIGURED_VECTOR ", AVX2"
#elif defined(__AVX__)
#define TESSERA_CONFIGURED_VECTOR ", AVX"
#elif defined(__SSE4_2__)
#define TESSERA_CONFIGURED_VECTOR ", x86-64-v2"
#else
#define TESSERA_CONFIGURED_VECTOR ", no -march"
#endif
#if defined(TESSERA_STAND_IN)
#define TESSERA_CONFIGURED_STAND_IN ", stand-in"
#else
#define TESSERA_CONFIGURED_STAND_IN ""
#endif
#if defined(__FMA__)
#define TESSERA_CONFIGURED_FMA ", FMA"
#else
#define TESSERA_CONFIGURED_FMA ""
#endif
#if defined(__FAST_MATH__)
#define TESSERA_CONFIGURED_MATH ", -ffast-math"
#else
#define TESSERA_CONFIGURED_MATH ""
#endif
#define TESSERA_TEXT_OF(number) #number
#define TESSERA_TEXT(number) TESSERA_TEXT_OF(number)
#define TESSERA_CONFIGURATION                                                                            \
  TESSERA_CONFIGURED_ENGINE TESSERA_CONFIGURED_VECTOR TESSERA_CONFIGURED_STAND_IN TESSERA_CONFIGURED_FMA \
      TESSERA_CONFIGURED_MATH ", messages joined to " TESSERA_TEXT(TESSERA_JOINED_BYTES) " bytes"

// In the definition of a type whose objects stand for others in the same memory.
#if defined(__GNUC__)
#define TESSERA_MAY_ALIAS __attribute__((may_alias))
#else
#define TESSERA_MAY_ALIAS
#endif

// What a refusal prints: from C++26 on the whole text, with all facts; before, compilers print literals only.
#if defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define TESSERA_SENTENCE(literal, ...) (::tessera::error::full_text<__VA_ARGS__>(literal))
#else
#define TESSERA_SENTENCE(literal, ...) literal
#endif
