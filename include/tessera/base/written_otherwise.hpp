// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Python and C++ write otherwise than this library, sum(x, 0), std::sin(x): a sentence for each. Asked of the types
// it is written with, so that nothing is said before it is.

#include <tessera/base/written_so.hpp>

namespace tessera::written {

template <class... X>
struct number_as_sum {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: a number of C++ cannot become an array. Fix: auto const next = n + x; a sum over a dimension "
        "is sum<0>(x), one over turns fori_loop or scan with zeros<float>() as its first value.");
  }
};
template <class... X>
struct in_std {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: functions of namespace std take C++ numbers, neither arrays nor traced "
                  "values. Fix: ts::sin(x) for std::sin(x).");
  }
};
template <class... X>
struct dims_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: dimensions are template arguments here. Fix: sum<0>(x), sum<0, 1>(x, keepdims), "
                  "transpose<1, 0>(x), concatenate<0>(x, y); maximum(x, y) takes two values.");
  }
};
template <class... X>
struct norm_of_another_dim {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: layer_norm and rms_norm are of the last dimension, and a number, 1e-5, is their epsilon. Fix: "
        "moveaxis<0, -1>(x) before and moveaxis<-1, 0>(y) after.");
  }
};
template <class... X>
struct shape_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: shapes and numbers of elements are template arguments here. Fix: reshape<8, 4>(x), "
                  "zeros<float, 8, 4>(), arange<float, 8>(), random::normal<float, 8, 4>(key).");
  }
};
template <class... X>
struct shape_without_element {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the element type stands before the extents. Fix: zeros<float, 8, 4>(), ones<int, 3>(), "
                  "random::normal<float, 8, 4>(key).");
  }
};
template <class... X>
struct element_of_another {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: this has the element type of its operand. Fix: sum<0>(astype<float>(x)), host<8, "
                  "4>(vector), asarray(list).");
  }
};
template <class... X>
struct spec_in_brackets {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: specs stand in angle brackets, P<...> around their axes. Fix: reshard<P<dp>>(x), "
                  "with_sharding_constraint<P<dp>>(x); onto a mesh: device_put<P<dp>>(x, mesh).");
  }
};
template <class... X>
struct subscripts_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the subscripts of einsum stand in angle brackets. Fix: einsum<\"ij,jk->ik\">(x, w).");
  }
};
template <class... X>
struct axes_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: mesh axes are types and stand in angle brackets. Fix: struct dp : tessera::axis {}; "
                  "psum<dp>(x), P<dp>{}.");
  }
};
template <class... X>
struct spec_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: device_put takes the spec in angle brackets, and the mesh. Fix: "
                  "device_put<P<dp>>(x, mesh), or device_put(x, named_sharding{mesh, P<dp>{}}).");
  }
};
template <class... X>
struct print_format {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the format does not fit the operands. Fix: a {} or {:type} for each of them, or {0}; {{ "
                  "and }} for braces.");
  }
};
template <class... X>
struct print_of_no_program {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: nothing says in which program to print. Fix: an operand that is an array or a traced "
                  "value.");
  }
};
template <class... X>
struct check_of_no_program {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: nothing says in which program to check. Fix: a condition that is an array or a traced "
                  "value.");
  }
};
template <class... X>
struct check_format {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the format does not fit the operands. Fix: after the condition, an operand for each {} or "
                  "{:type}; {{ and }} for braces.");
  }
};
template <class... X>
struct callback_with_state {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: a callback is a part of the program's type. Fix: a lambda without captures, or a struct "
                  "without members; let it write to what is not local.");
  }
};
template <class... X>
struct callback_of_too_many {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: pure_callback gives up to three results. Fix: join some, or call two functions.");
  }
};
template <class... X>
struct callback_results {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: pure_callback: the function does not take these values, or does not return these results. "
                  "Fix: a range of elements, as std::vector<float>; one element where there are no dimensions; a "
                  "std::tuple of several. A result unlike operand 0 is named: pure_callback<block_type<float, 2, "
                  "8>>(f, x).");
  }
};
template <class... X>
struct no_mesh {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: nothing says on which mesh. Fix: device_put<P<dp>>(x, mesh), or device_put<P<dp>, "
                  "grid>(x) on the current mesh of type grid, which use_mesh names.");
  }
};
template <class... X>
struct mesh_in_brackets {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the axes and sizes of a mesh are its type. Fix: struct dp : tessera::axis {}; using grid = "
                  "mesh<explicit_axis<dp, 4>>; make_mesh<grid>(devices()).");
  }
};
template <class... X>
struct array_of_values {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: an array is made by a function. Fix: asarray({1, 2, 3}), asarray(vector), "
                  "device_put<P<dp>>(vector, mesh), zeros<float, 8, 4>().");
  }
};
template <class... X>
struct placed_by_spec {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: what is made with a layout names it as out_sharding. Fix: zeros<float, 8, 4>("
        "out_sharding<P<dp>>), on a current mesh that use_mesh names; ones<float, 8>(out_sharding<P<dp>, grid>).");
  }
};
template <class... X>
struct takes_no_layout {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: this function takes no layout, or not so. Fix: reshard<P<dp>>(exp(x)); out_sharding<P<dp>> is the last "
        "argument of reduce_sum, matmul, einsum, reshape, x.at(i).get, zeros, arange, random::normal<float, 8>(key).");
  }
};
template <class... X>
struct numbers_as_arguments {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: numbers that say what an operation does stand in angle brackets. Fix: roll<1, 0>(x), repeat<2, "
        "0>(x), tile<2, 2>(x), moveaxis<0, 1>(x), quantile<0>(x, 0.5), norm<0>(x), dynamic_slice<8, 4>(x, i, j), "
        "split<3>(key), segment_sum<4>(x, ids), take_along_axis<1>(x, i), span<0, 8, 2>().");
  }
};
template <class... X>
struct setting_in_brackets {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: settings stand behind the values, not in angle brackets. Fix: sum<0>(x, keepdims), sort(x, "
        "descending), cumsum<0>(x, reverse), scan(f, init, xs, reverse), grad(f, has_aux), slice(x, starts<0>, "
        "limits<4>).");
  }
};
template <class... X>
struct setting_of_another {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the function does not have this setting. Fix: keepdims belongs to reductions, reverse to "
                  "cumulative functions and scans, descending to sorts; docs/reference.md has those of each function.");
  }
};
template <class... X>
struct collective_by_numbers {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: what a collective does stands behind the value, as a type. Fix: all_gather<dp>(x, dim<1>, "
                  "tiled), psum_scatter<dp>(x, dim<0>, tiled), all_to_all<dp>(x, split_dim<0>, concat_dim<1>, tiled), "
                  "ppermute<dp>(x, rotate<1>), ppermute<dp>(x, perm<send<0, 1>, send<1, 0>>), pshuffle<dp>(x, order<1, "
                  "0>), pbroadcast<dp>(x, source<0>); psum<dp>(x) has none.");
  }
};
template <class... X>
struct indexed_is_assigned {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: arrays do not change, x.at(i) = v writes nowhere. Fix: x = x.at(i).set(v); add(v), "
                  "multiply(v), min(v) and max(v) likewise.");
  }
};
template <class... X>
struct rule_is_missing {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the rules of derivatives stand behind their function. Fix: custom_vjp(f, fwd, bwd), "
                  "custom_jvp(f, rule).");
  }
};
template <class... X>
struct pointer_without_size {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: a pointer does not say how many elements there are. Fix: host<8, 4>(std::span(p, 32)), or the "
        "container itself.");
  }
};
template <class... X>
struct flags_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: settings that are true or false in Python are tags here. Fix: solve_triangular(a, b, "
                  "lower_triangle), cho_solve(cho_factor(a, lower_triangle), b, lower_triangle).");
  }
};
template <class... X>
struct constant_of_values {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: a constant is made of numbers that are known while compiling. Fix: constant({1.f, 2.f}), or "
        "constant(table) of a std::array; other values are arguments, asarray(vector).");
  }
};
template <class... X>
struct constant_placed {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: a constant takes the layout of the values that it meets. Fix: x + constant({1.f, 2.f}); outside of traced "
        "code reshard<P<dp>, grid>(constant({1.f, 2.f})) makes an array of it.");
  }
};
template <class... X>
struct options_as_text {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: what conv does stands behind the kernel as tags. Fix: conv(x, k, same), conv(x, k, valid, "
                  "strided<2, 2>, pads<1, 1, 1, 1>, groups<4>).");
  }
};
template <class... X>
struct padding_as_argument {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: pad takes its widths as types, each kind once, after the value. Fix: pad(x, 0, low<1, 1>, high<1, 1>).");
  }
};
template <class... X>
struct element_as_name {
  static consteval void explain() {
    static_assert(written_so<X...>, "tessera: an element type is a type. Fix: astype<bfloat16>(x), astype<float>(x).");
  }
};
template <class... X>
struct not_an_element {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: not an element type. Fix: use bool, int8 to int64, uint8 to uint64, float8_e4m3fn, float8_e5m2, "
        "float16, bfloat16, float32, float64, complex64 or complex128.");
  }
};
template <class... X>
struct place_as_value {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: x.at(...) names a part of x. Fix: x.at(0).get() is its value, x.at(0).add(1) is x with another.");
  }
};
template <class... X>
struct bounds_as_arguments {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: slice takes its bounds as types. Fix: x.at(span(0, 4)).get(), slice(x, starts<0, 2>, limits<4, 4>).");
  }
};
template <class... X>
struct bounds_as_values {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: in traced code the bounds of a span are part of its type. Fix: x.at(span<1, 3>()).get(); from a "
        "traced start dynamic_slice_in_dim<0, 4>(x, start).");
  }
};
template <class... X>
struct contraction_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: which dimensions a product contracts stands in angle brackets. Fix: "
                  "dot_general<contract<dims<1>, dims<0>>>(x, y), einsum<\"ij,jk->ik\">(x, y), matmul(x, y).");
  }
};
template <class... X>
struct parts_as_argument {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the number of parts and the dimension stand in angle brackets. Fix: split<2>(x), split<2, 1>(x).");
  }
};
template <class... X>
struct another_number_of_values {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the function takes another number of values. Fix: one for exp(x), two for maximum(x, y), three for "
        "where(mask, x, y) and clamp(low, x, high); nonzero<4>(mask) has the places of a mask.");
  }
};
template <class... X>
struct draw_misses_values {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = "
        "random::key(0); random::normal<float, 8>(key), random::randint<int, 8>(key, 0, 10), random::gamma<float, 8>(key, "
        "a), random::permutation(key, x); of several keys one, auto const keys = random::split<3>(key); keys[0].");
  }
};
template <class... X>
struct list_of_values {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: how many values are joined is part of the program. Fix: concatenate<0>(x, y), "
                  "stack(std::array{x, y, z}), vstack(std::tuple{x, y}).");
  }
};
template <class... X>
struct rounded_to_more_digits {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: stochastic_round takes floats to a float type of fewer digits. Fix: "
                  "random::stochastic_round<bfloat16>(key, x), of a float16, float, or double x.");
  }
};

}  // namespace tessera::written
