// SPDX-License-Identifier: Apache-2.0
#pragma once
// debug_print<"x = {}">(x): prints when the program runs, in its order, whether or not a result depends on it; once a
// turn in a loop's body. Inside shard_map for each device, with its block, in mesh order, after a line that names it:
//   On CpuDevice(id=3) at mesh coordinates (dp, mp) = (1, 1):
// elsewhere once with the whole value, which is gathered for it: comm_of counts that. `{}` takes the next operand, `{0}`
// one by its number, {:type} and {0:type} its type instead, which costs nothing; {{ and }} are braces; values look as
// operator<< prints arrays. One to eight operands, at least one of them a value of the program or an array. Where types
// alone are printed, no device is named: they are the same everywhere.
// optimization_barrier(x, y, z): x as it is, once all of them have been computed; nothing is fused across it. Of one tree:
// the tree, each value once all have been. What is no value of the program stays as it is: numbers, computed arrays.
// Inside vmap: once for each element of the batch, in order. In a gradient what the forward pass prints is printed
// once; cotangents pass a barrier by one of their own.
// Source: JAX 0.10.2 jax.debug.print, lax.optimization_barrier. Differs: always ordered, and inside shard_map, too;
// formats have no conversions such as {:.3f}.

#include <tessera/api/jit.hpp>
#include <tessera/graph/effect.hpp>
#include <tessera/trace/with_line.hpp>
#include <tessera/view/print_format.hpp>

#include <iosfwd>

namespace tessera {
// debug_print, on any thread, writes to `stream` as long as this lives and is the youngest: print_to here(std::cerr);
class print_to {
public:
  explicit print_to(std::ostream& stream);
  ~print_to();
  print_to(print_to const&) = delete;
  print_to& operator=(print_to const&) = delete;
};

namespace ops {

// attrs.table: the format's length, its characters; attrs.axes: those along which each device prints.
struct debug_print {
  static constexpr std::string_view name = "debug_print";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) {
    for (int k = 0; k < in.count; ++k)
      if (!in[k].unreduced.empty()) {
        verdict v = refuse(reason::unreduced_operand, -1, in[k].unreduced);
        v.operand = k;
        return v;
      }
    array_value nothing;
    nothing.element = dtype::int32;
    nothing.add_dim(0);
    return accept(nothing);
  }
  static void act(effect_call const& call);
};

struct optimization_barrier {
  static constexpr std::string_view name = "optimization_barrier";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.template make<optimization_barrier>({back.cotangent()}));
  }
};

}  // namespace ops

namespace detail {

// Says X in which program to print?
template <class X>
inline constexpr bool contains_program_value = true;  // which invoke refuses
template <class X>
  requires Operand<X>
inline constexpr bool contains_program_value<X> =
    is_poisoned<X> || is_traced<X> || operand_traits<X>::kind == operand_kind::array;

template <fixed_string Format>
struct prints : with_line<prints<Format>> {
  template <class... X>
  constexpr void at_line(site at, X const&... x) const {
    static_assert(
        is_format(Format.view(), sizeof...(X)),
        "tessera: the format does not fit the operands. Fix: a {} or {:type} for each of them, or {0}; {{ and "
        "}} for braces.");
    static_assert(
        (contains_program_value<X> || ...),
        "tessera: nothing says in which program to print. Fix: an operand that is an array or a traced value.");
    if constexpr (!(Operand<X> && ...)) {
      (void)invoke<ops::debug_print, no_params>(at, x...);
    } else {
      using format = print_format<Format, X...>;
      if constexpr (format::shown != 0)
        show<format>(at, std::index_sequence_for<X...>{}, std::tie(x...));
      else if constexpr ((is_poisoned<X> || ...))
        return;
      else if constexpr ((is_traced<X> || ...))
        (void)record_into<ops::debug_print, format, no_mesh>(*builder_of(x...), at);
      else
        print_types<format>();
    }
  }

private:
  template <class Format_, std::size_t... I, class Operands>
  static constexpr void show(site at, std::index_sequence<I...>, Operands const& operands) {
    auto const chosen = std::tuple_cat(pick<Format_, I>(std::get<I>(operands))...);
    std::apply([&](auto const&... x) { (void)invoke<ops::debug_print, Format_>(at, x...); }, chosen);
  }
  template <class Format_, std::size_t I, class X>
  static constexpr auto pick(X const& x) {
    if constexpr ((Format_::shown >> I & 1) != 0)
      return std::tuple<X>(x);
    else
      return std::tuple<>();
  }
  template <class Format_>
  static void print_types() {
    attributes const attrs = Format_::template on<no_mesh>();
    ops::debug_print::act({&attrs});
  }
};

}  // namespace detail

template <fixed_string Format>
inline constexpr detail::prints<Format> debug_print{};

namespace detail {

// The leaves of a tree that are values of the program.
template <class T>
constexpr auto traced_leaves(T const& t) {
  if constexpr (Tree<T>)
    return with_parts(t, [](auto const&... part) { return std::tuple_cat(traced_leaves(part)...); });
  else if constexpr (is_traced<T>)
    return std::tuple<T>(t);
  else
    return std::tuple<>();
}
// x, once all leaves from number First on have been computed.
template <std::size_t First, class X, class... Leaf>
constexpr auto once_computed(site at, X const& x, std::tuple<Leaf...> const& leaves) {
  constexpr std::size_t left = sizeof...(Leaf) - First, most = builder::max_operands - 1;
  if constexpr (left == 0) {
    return x;
  } else {
    constexpr std::size_t count = left < most ? left : most;
    auto const part = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return invoke<ops::optimization_barrier, no_params>(at, x, std::get<First + I>(leaves)...);
    }
    (std::make_index_sequence<count>{});
    return once_computed<First + count>(at, part, leaves);
  }
}

}  // namespace detail

template <Tree T>
constexpr auto optimization_barrier(T const& values, site at = std::source_location::current()) {
  auto const leaves = detail::traced_leaves(values);
  if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(leaves)>> == 0) {
    return values;
  } else {
    auto const done = detail::once_computed<1>(at, std::get<0>(leaves), leaves);
    return tree_map(
        [&]<class X>(X const& x) {
          if constexpr (is_traced<X>)
            return invoke<ops::optimization_barrier, no_params>(at, x, done);
          else
            return x;
        },
        values);
  }
}
template <class X>
constexpr auto optimization_barrier(X const& x, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x);
}
template <class X, class Y>
constexpr auto optimization_barrier(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x, y);
}
template <class X, class Y, class Z>
constexpr auto optimization_barrier(X const& x, Y const& y, Z const& z, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x, y, z);
}

}  // namespace tessera

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/view/printed.hpp>
#endif
