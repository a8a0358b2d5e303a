// SPDX-License-Identifier: Apache-2.0
#pragma once
// debug_print<"x = {}">(x): prints when the program runs, in program order, whether or not a result depends on it; in
// each turn of a loop's body. Inside shard_map it prints the block of each device, in mesh order, after a line with the
// device:
//   On CpuDevice(id=3) at mesh coordinates (dp, mp) = (1, 1):
// elsewhere it prints the whole value once, which is gathered for it: comm_of counts that. `{}` is the next operand,
// `{0}` an operand by its number, {:type} and {0:type} its type, which costs nothing; {{ and }} are braces; values look
// as operator<< prints arrays. It has one to eight operands, at least one of them a value of the program or an array.
// If it prints types alone, no device is named: they are the same on all devices. Inside vmap: once for each element of
// the batch, in order. In a gradient a print of the forward pass runs once. Source: JAX 0.10.2 jax.debug.print.
// Differs: always ordered, also inside shard_map; formats have no conversions such as {:.3f}.

#include <tessera/api/jit.hpp>
#include <tessera/base/written_otherwise.hpp>
#include <tessera/op/effect/debug_print.hpp>
#include <tessera/trace/with_line.hpp>
#include <tessera/view/print_format.hpp>

#include <iosfwd>

namespace tessera {
// debug_print, on any thread, writes to `stream` as long as this object is the newest: print_to here(std::cerr);
class print_to {
public:
  explicit print_to(std::ostream& stream);
  ~print_to();
  print_to(print_to const&) = delete;
  print_to& operator=(print_to const&) = delete;
};

namespace detail {

// The program that prints X, if X says it.
template <class X>
inline constexpr bool contains_program_value = true;  // which invoke refuses
template <class X>
  requires Operand<X>
inline constexpr bool contains_program_value<X> =
    is_poisoned<X> || is_traced<X> || operand_traits<X>::kind == operand_kind::array;

template <fixed_string Format>
struct prints : with_line<prints<Format>> {
  static constexpr bool is_variable_template = true;
  template <class... X>
  constexpr auto at_line(site at, X const&... x) const {
    if constexpr (!(contains_program_value<X> || ...)) {
      written::print_of_no_program<X...>::explain();
    } else if constexpr (!is_format(Format.view(), sizeof...(X))) {
      (void)refused_as<written::print_format>(first_traced(x...), at);
    } else if constexpr (!(Operand<X> && ...)) {
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

  // A tuple of x, if the format shows operand I.
  template <class Format_, std::size_t I, class X>
  static constexpr auto pick(X const& x) {
    if constexpr ((Format_::shown >> I & 1) != 0)
      return std::tuple<X>(x);
    else
      return std::tuple<>();
  }

private:
  template <class Format_, std::size_t... I, class Operands>
  static constexpr void show(site at, std::index_sequence<I...>, Operands const& operands) {
    auto const chosen = std::tuple_cat(pick<Format_, I>(std::get<I>(operands))...);
    std::apply([&](auto const&... x) { (void)invoke<ops::debug_print, Format_>(at, x...); }, chosen);
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

}  // namespace tessera
