// SPDX-License-Identifier: Apache-2.0
// std::numeric_limits of the half types: as jnp.finfo(jnp.bfloat16) and jnp.finfo(jnp.float16) of JAX 0.10.2.

#include <tessera/aval/half.hpp>

#include <cmath>
#include <limits>

namespace {

using tessera::bfloat16;
using tessera::float16;
template <class T>
using limits = std::numeric_limits<T>;

static_assert(limits<bfloat16>::is_specialized && limits<float16>::is_specialized && limits<float16>::has_infinity);
static_assert(limits<bfloat16>::max() == 3.3895313892515355e38f && limits<float16>::max() == 65504.0f);
static_assert(limits<bfloat16>::lowest() == -3.3895313892515355e38f && limits<float16>::lowest() == -65504.0f);
static_assert(limits<bfloat16>::min() == 0x1p-126f && limits<float16>::min() == 0x1p-14f);
static_assert(limits<bfloat16>::epsilon() == 0x1p-7f && limits<float16>::epsilon() == 0x1p-10f);
static_assert(limits<bfloat16>::round_error() == 0.5f && limits<float16>::round_error() == 0.5f);
static_assert(limits<bfloat16>::denorm_min() == 0x1p-133f && limits<float16>::denorm_min() == 0x1p-24f);
static_assert(limits<bfloat16>::infinity() == limits<float>::infinity());
static_assert(limits<float16>::infinity() == limits<float>::infinity());
static_assert(limits<bfloat16>::quiet_NaN() != limits<bfloat16>::quiet_NaN());
static_assert(limits<float16>::signaling_NaN() != limits<float16>::signaling_NaN());
static_assert(limits<bfloat16>::digits == 8 && limits<float16>::digits == 11);
static_assert(limits<bfloat16>::digits10 == 2 && limits<float16>::digits10 == 3);
static_assert(limits<bfloat16>::max_digits10 == 4 && limits<float16>::max_digits10 == 5);
static_assert(limits<bfloat16>::max_exponent == 128 && limits<bfloat16>::min_exponent == -125);
static_assert(limits<float16>::max_exponent == 16 && limits<float16>::min_exponent == -13);
static_assert(limits<bfloat16>::max_exponent10 == 38 && limits<bfloat16>::min_exponent10 == -37);
static_assert(limits<float16>::max_exponent10 == 4 && limits<float16>::min_exponent10 == -4);

}  // namespace
