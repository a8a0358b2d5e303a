// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is written otherwise about functions than in Python, jit(f, x), grad(f, 0), scan(init, f, xs): transformations,
// loops, branches, trees and optimizers, a sentence for each.

#include <tessera/base/written_so.hpp>

namespace tessera::written {

template <class... X>
struct call_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: a transformation takes the function, and what it gives takes the values. Fix: jit(f)(x), "
                  "grad<0>(f)(x), vmap<in_axes<0>>(f)(x), shard_map<in_specs<P<dp>>, out_specs<P<dp>>>(f)(x).");
  }
};
template <class... X>
struct bounds_in_brackets {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the bounds of fori_loop are arguments. Fix: fori_loop(0, 10, body, init).");
  }
};
template <class... X>
struct plain_function {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: what is traced is a function object, not a function. Fix: a lambda, [](auto x) { return "
                  "x * 2; }, or struct f { constexpr auto operator()(auto x) const { ... } };.");
  }
};
template <class... X>
struct settings_otherwise {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: this is no setting of vmap. Fix: vmap<in_axes<0, unmapped>, out_axes<0>>(f).");
  }
};
template <class... X>
struct scope_otherwise {
  static consteval void explain() {
    static_assert(written_so<X...>, "tessera: a scope's name is in <>. Fix: named_scope<\"mlp\">(f)(x).");
  }
};
template <class... X>
struct results_not_placed {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: shard_map needs the specs of results. Fix: shard_map<in_specs<...>, out_specs<...>>(f).");
  }
};
template <class... X>
struct argument_beyond {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the function has no argument of the number that grad names. Fix: grad<0>(f)(x) is by "
                  "the first one, grad<0, 1>(f)(x, y) by two; jacfwd and jacrev count alike.");
  }
};
template <class... X>
struct transpose_solve_is_missing {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the gradient of custom_linear_solve solves the transposed system. Fix: custom_linear_solve(matvec, "
        "solve, transpose_solve), which is solve again if it solves whatever g it is given; or (matvec, solve, symmetric).");
  }
};
template <class... X>
struct no_pair {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the body of a scan returns no pair. Fix: return std::tuple{carry, y}; without y: "
                  "std::tuple{carry, std::tuple{}}.");
  }
};
template <class... X>
struct no_aux {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: with has_aux the function returns a pair. Fix: return std::tuple{result, aux}.");
  }
};
template <class... X>
struct functions_after_values {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: functions stand before the values that they begin with. Fix: fori_loop(0, 10, body, init), "
                  "while_loop(cond, body, init), scan(body, init, xs), cond(pred, f, g, x), map(f, xs).");
  }
};
template <class... X>
struct name_of_pmap {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the axis of a pmap is a type. Fix: struct dp : tessera::axis {}; pmap<axis_names<dp>>(f).");
  }
};
template <class... X>
struct rate_as_setting {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: settings of optimizers have names, and update takes the rate. Fix: adam{.b1 = 0.9}, "
                  "optimizer.update(gradients, state, parameters, 1e-3).");
  }
};
template <class... X>
struct turns_twice {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: a scan over values has as many turns as they have slices. Fix: scan(body, init, xs); "
                  "without values scan<10>(body, init).");
  }
};
template <class... X>
struct branches_without_tuple {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: the branches of switch_ stand in one std::tuple, one or more. Fix: switch_(i, "
                  "std::tuple{f, g}, x).");
  }
};
template <class... X>
struct argnums_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: which arguments a gradient is by stands in angle brackets. Fix: grad<0, 1>(f).");
  }
};
template <class... X>
struct loop_of_one_value {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: a loop begins with one value, which may be a tuple. Fix: fori_loop(0, 8, body, init), "
                  "while_loop(condition, body, std::tuple{a, b}), scan(body, init, xs), scan<8>(body, init).");
  }
};
template <class... X>
struct function_or_value_missing {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: a function or a value is missing. Fix: jit(f)(x), grad(f)(x), vmap(f)(x), jvp(f, x, tangent), cond(pred, "
        "f, g, x), switch_(i, std::tuple{f, g}, x), while_loop(condition, body, init), scan(body, init, xs), map(f, xs), "
        "tree_map(f, tree).");
  }
};
template <class... X>
struct update_otherwise {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: an optimizer takes gradients, its state, parameters of the structure of the gradients, and a "
        "rate, in this order. Fix: auto [p2, state2] = optimizer.update(gradients, state, p, 0.01).");
  }
};
template <class... X>
struct choice_otherwise {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: tree_partition asks a function of the path and the leaf. Fix: tree_partition([](auto path, "
                  "auto) { return path.text.starts_with(\"head\"); }, tree).");
  }
};
template <class... X>
struct trees_apart {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the trees have different structures. Fix: as many parts in each tree as in the first, in the same "
        "order, of the same names.");
  }
};

template <class... X>
struct mesh_without_devices {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the type of a mesh has no devices. Fix: auto const m = make_mesh<grid>(devices()), and m in its "
        "place: device_put<P<dp>>(x, m), use_mesh on(m), named_sharding(m, P<dp>{}).");
  }
};

}  // namespace tessera::written
