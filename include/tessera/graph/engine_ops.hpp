// SPDX-License-Identifier: Apache-2.0
#pragma once
// The library's operations for which tessera::engine has compiled loops (elementwise ones) or rules. Any other
// operation brings its own into the program.

#include <boost/mp11.hpp>

namespace tessera {

namespace ops {
struct absolute;
struct add;
struct arccos;
struct arccosh;
struct arcsin;
struct arcsinh;
struct arctan;
struct arctan2;
struct arctanh;
struct bitcast;
struct bitwise_and;
struct bitwise_not;
struct bitwise_or;
struct bitwise_xor;
struct cast;
struct cbrt;
struct ceil;
struct clamp;
struct complex;
struct conj;
struct copysign;
struct cos;
struct cosh;
struct divide;
struct equal;
struct erf;
struct erf_inv;
struct erfc;
struct exp;
struct exp2;
struct expm1;
struct floor;
struct floor_divide;
struct fmod;
struct gamma_draw;
struct gamma_slope;
struct greater;
struct greater_equal;
struct hypot;
struct imag;
struct isfinite;
struct isinf;
struct isnan;
struct left_shift;
struct less;
struct less_equal;
struct log;
struct log10;
struct log1p;
struct log2;
struct log_gamma_draw;
struct log_gamma_slope;
struct logaddexp;
struct logical_and;
struct logical_not;
struct logical_or;
struct logical_xor;
struct logistic;
struct maximum;
struct minimum;
struct multiply;
struct negative;
struct not_equal;
struct power;
struct random_unit;
struct real;
struct reciprocal;
struct remainder;
struct right_shift;
struct rint;
struct round;
struct rsqrt;
struct shift_right_logical;
struct sign;
struct signbit;
struct sin;
struct sinh;
struct sqrt;
struct square;
struct subtract;
struct tan;
struct tanh;
struct threefry;
struct threefry_pair;
struct trunc;
struct where;

struct all_gather;
struct all_gather_invariant;
struct all_gather_reduced;
struct all_to_all;
struct argument;
struct axis_index;
struct broadcast_to;
struct check_index;
struct cloned_key;
struct concatenate;
struct consumed_key;
struct copy;
struct debug_check;
struct debug_print;
struct done;
struct dot_general;
struct enter_shard_map;
struct flip;
struct from_auto_axes;
struct from_explicit_axes;
struct gather;
struct grouped_psum;
struct identity;
struct iota;
struct leave_shard_map;
struct literal;
struct loop_result;
struct optimization_barrier;
struct own_part;
struct pad;
struct pbroadcast;
struct pcast_reduced;
struct pcast_unreduced;
struct permute;
struct ppermute;
struct psum;
struct psum_scatter;
struct pvary;
struct ragged_all_to_all;
struct reduce_and;
struct reduce_max;
struct reduce_min;
struct reduce_or;
struct reduce_prod;
struct reduce_sum;
struct reshape;
struct reshard;
struct rotate;
struct scatter;
struct scatter_add;
struct scatter_max;
struct scatter_min;
struct scatter_mul;
struct slice;
struct stop_gradient;
struct to_auto_axes;
struct to_explicit_axes;
struct to_memory;
struct update_slice;
struct with_sharding_constraint;
}  // namespace ops

namespace detail {

using engine_ops = boost::mp11::mp_list<
    ops::absolute, ops::add, ops::arccos, ops::arccosh, ops::arcsin, ops::arcsinh, ops::arctan, ops::arctan2,
    ops::arctanh, ops::bitcast, ops::bitwise_and, ops::bitwise_not, ops::bitwise_or, ops::bitwise_xor, ops::cast,
    ops::cbrt, ops::ceil, ops::clamp, ops::complex, ops::conj, ops::copysign, ops::cos, ops::cosh, ops::divide,
    ops::equal, ops::erf, ops::erf_inv, ops::erfc, ops::exp, ops::exp2, ops::expm1, ops::floor, ops::floor_divide,
    ops::fmod, ops::gamma_draw, ops::gamma_slope, ops::greater, ops::greater_equal, ops::hypot, ops::imag,
    ops::isfinite, ops::isinf, ops::isnan, ops::left_shift, ops::less, ops::less_equal, ops::log, ops::log10,
    ops::log1p, ops::log2, ops::log_gamma_draw, ops::log_gamma_slope, ops::logaddexp, ops::logical_and,
    ops::logical_not, ops::logical_or, ops::logical_xor, ops::logistic, ops::maximum, ops::minimum, ops::multiply,
    ops::negative, ops::not_equal, ops::power, ops::random_unit, ops::real, ops::reciprocal, ops::remainder,
    ops::right_shift, ops::rint, ops::round, ops::rsqrt, ops::shift_right_logical, ops::sign, ops::signbit, ops::sin,
    ops::sinh, ops::sqrt, ops::square, ops::subtract, ops::tan, ops::tanh, ops::threefry, ops::threefry_pair,
    ops::trunc, ops::where>;

// Further operations whose rules the engine has: a program that is planned at run time keeps only their names.
using engine_ruled_ops = boost::mp11::mp_list<
    ops::all_gather, ops::all_gather_invariant, ops::all_gather_reduced, ops::all_to_all, ops::argument,
    ops::axis_index, ops::broadcast_to, ops::check_index, ops::cloned_key, ops::concatenate, ops::consumed_key,
    ops::copy, ops::debug_check, ops::debug_print, ops::done, ops::dot_general, ops::enter_shard_map, ops::flip,
    ops::from_auto_axes, ops::from_explicit_axes, ops::gather, ops::grouped_psum, ops::identity, ops::iota,
    ops::leave_shard_map, ops::literal, ops::loop_result, ops::optimization_barrier, ops::own_part, ops::pad,
    ops::pbroadcast, ops::pcast_reduced, ops::pcast_unreduced, ops::permute, ops::ppermute, ops::psum,
    ops::psum_scatter, ops::pvary, ops::ragged_all_to_all, ops::reduce_and, ops::reduce_max, ops::reduce_min,
    ops::reduce_or, ops::reduce_prod, ops::reduce_sum, ops::reshape, ops::reshard, ops::rotate, ops::scatter,
    ops::scatter_add, ops::scatter_max, ops::scatter_min, ops::scatter_mul, ops::slice, ops::stop_gradient,
    ops::to_auto_axes, ops::to_explicit_axes, ops::to_memory, ops::update_slice, ops::with_sharding_constraint>;

// Whether an operation is in a list, without a class instantiated per answer.
template <class... Op>
struct op_set : boost::mp11::mp_identity<Op>... {};
template <class Op, class List>
inline constexpr bool is_listed = __is_base_of(boost::mp11::mp_identity<Op>, boost::mp11::mp_rename<List, op_set>);

template <class Op>
inline constexpr bool in_engine = is_listed<Op, engine_ops>;
template <class Op>
inline constexpr bool engine_has_rule = in_engine<Op> || is_listed<Op, engine_ruled_ops>;

#ifdef TESSERA_SEPARATE_ENGINE
inline constexpr bool has_engine = true;
#else
inline constexpr bool has_engine = false;
#endif

}  // namespace detail

}  // namespace tessera
