// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a program uses keys: consumed_key and cloned_key mark each use, so that graph/keys.hpp can find a key that is
// used twice; and the words of a key, counters over a whole array, and their bits, for the distributions.

#include <tessera/aval/float_format.hpp>
#include <tessera/op/base/identity.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/bitwise.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/random/threefry.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

// The result of a draw: elements and their shape.
struct random_params {
  dtype element = dtype::float32;
  extents_list shape{};
  static constexpr void fields(auto& p, auto&& each) { each(p.element, p.shape); }
};

// Number of the use of a key: equal numbers were one use before a transformation repeated it.
struct key_use_params {
  std::int64_t number = 0, line = 0, name = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.number, p.line, p.name); }
  static constexpr std::int64_t sum_of(std::string_view text) {
    std::int64_t sum = 0;
    for (char c : text) sum = sum * 31 % 1000003 + c;
    return sum;
  }
};

// A key's data, uint32[2], where bits are made from it; lowering removes this op.
struct consumed_key {
  static constexpr std::string_view name = "key";
  static constexpr op_class kind = op_class::identity;
  static constexpr key_role key = key_role::consumed;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  static constexpr bool locally_constant = true;
};
// The same key, treated as another one.
struct cloned_key {
  static constexpr std::string_view name = "clone";
  static constexpr op_class kind = op_class::identity;
  static constexpr key_role key = key_role::cloned;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  static constexpr bool locally_constant = true;
};

}  // namespace ops

// The two words of a key as scalars, int32.
struct key_words {
  term first{}, second{};
  constexpr explicit operator bool() const { return static_cast<bool>(first) && static_cast<bool>(second); }
};

namespace detail {

template <class B>
constexpr term key_word(B& b, term key, int which) {
  auto const word = make<ops::slice>(b, {key}, slice_in_dim_params{0, which, which + 1});
  return make<ops::squeeze>(b, {word}, ops::squeeze_params{{0}});
}

// The words of `key`; Op, which reads it, is refused if it is not a key. `consume`: bits are made from it.
template <class Op, class B>
constexpr key_words words_of_key(B& b, term key, bool consume = true) {
  array_value const facts = key.facts();
  if (facts.rank != 1) {
    auto const no = b.template refuse<Op>(refuse(reason::not_one_key, -1, {}, facts.rank), facts);
    return {no, no};
  }
  if (facts.element != dtype::uint32 || facts.extent(0) != 2) {
    auto const no = b.template refuse<Op>(refuse(reason::element_unsupported), facts);
    return {no, no};
  }
  if (consume)
    key = b.template emit<ops::consumed_key>(
        {key}, ops::key_use_params{b.size(), b.here.line, ops::key_use_params::sum_of(Op::name)});
  key = make<ops::cast>(b, {key}, cast_params{dtype::int32, false, cast_role::asked});
  return {key_word(b, key, 0), key_word(b, key, 1)};
}

constexpr literal_params whole_literal(std::int64_t value, dtype element) {
  return literal_of({number_value::form::whole, 0, value}, element);
}
template <class B>
constexpr term whole_number(B& b, std::int64_t value, dtype element) {
  return b.template emit<ops::literal>({}, whole_literal(value, element));
}

// The row-major position of each element in an array of this shape, int32, or int64 beyond 2^32 elements; in the layout
// of attrs. The last `without` dimensions do not count: all elements along them have one position.
template <class B>
constexpr term places_in(B& b, extents_list const& shape, attributes const& attrs, int without = 0) {
  int const counted = shape.count - without;
  double elements = 1;
  for (int d = 0; d < counted; ++d) elements *= static_cast<double>(shape[d] == dynamic ? 1 : shape[d]);
  dtype const element = elements > 4294967296.0 ? dtype::int64 : dtype::int32;
  if (shape.empty()) return whole_number(b, 0, element);
  term sum{};
  std::int64_t step = 1;
  for (int d = shape.count - 1; d >= 0; --d) {
    bool const along = d < counted && shape[d] != 1;
    if (!along && !(d == 0 && !sum.graph)) continue;
    attributes places = attrs;
    places.set(iota_params{element, d, shape});
    term place = b.template emit<ops::iota>({}, places);
    if (!along)
      place = place * whole_number(b, 0, element);
    else if (step != 1)
      place = place * whole_number(b, step, element);
    sum = sum.graph ? sum + place : place;
    if (!sum) return sum;
    if (along && shape[d] != dynamic) step *= shape[d];
  }
  return sum;
}

template <class B>
constexpr term cast_to_element(B& b, term x, dtype element) {
  return make<ops::cast>(b, {x}, cast_params{element});
}

// int32 with 32 random bits for each element.
template <class B>
constexpr term random_words(B& b, key_words const& key, extents_list const& shape, attributes const& attrs) {
  auto const place = places_in(b, shape, attrs);
  return key && place ? b.template emit<ops::threefry>({key.first, key.second, place}) : term{&b, -1};
}
// uint64 with 64 random bits for each element.
template <class B>
constexpr term random_pairs(B& b, key_words const& key, extents_list const& shape, attributes const& attrs) {
  auto const place = places_in(b, shape, attrs);
  return key && place ? b.template emit<ops::threefry_pair>({key.first, key.second, place}) : term{&b, -1};
}
// Random bits as an unsigned integer type.
template <class B>
constexpr term random_bits(B& b, key_words const& key, dtype element, extents_list const& shape,
                           attributes const& attrs) {
  if (bytes_of(element) == 8) return random_pairs(b, key, shape, attrs);
  return cast_to_element(b, random_words(b, key, shape, attrs), element);
}

// [0, 1) in a floating type, with as many bits as its mantissa: the high ones of the low 16 bits, of types with up to 8
// digits of the low 8.
template <class B>
constexpr term random_unit(B& b, key_words const& key, dtype element, extents_list const& shape,
                           attributes const& attrs) {
  if (element == dtype::float64) return make<ops::random_unit>(b, {random_pairs(b, key, shape, attrs)});
  term bits = random_words(b, key, shape, attrs);
  if (element != dtype::float32) {
    int const mantissa = float_format_of(element).digits - 1, drawn = mantissa > 7 ? 16 : 8;
    int const used = ((1 << mantissa) - 1) << (drawn - mantissa);
    bits = make<ops::bitwise_and>(b, {bits, whole_number(b, used, dtype::int32)});
    bits = make<ops::left_shift>(b, {bits, whole_number(b, 32 - drawn, dtype::int32)});
  }
  return cast_to_element(b, make<ops::random_unit>(b, {bits}), element);
}

// The words of result `which` of split.
template <class B>
constexpr key_words split_words(B& b, key_words const& key, std::int64_t which) {
  if (!key) return key;
  auto const both = b.template emit<ops::threefry_pair>({key.first, key.second, whole_number(b, which, dtype::int32)});
  auto const high = make<ops::shift_right_logical>(b, {both, whole_number(b, 32, dtype::uint64)});
  return {cast_to_element(b, high, dtype::int32), cast_to_element(b, both, dtype::int32)};
}

// uint64 pairs of words, the last dimension 2 of them repeated -> uint32, the first word and the second.
template <class B>
constexpr term unpaired(B& b, term pairs, attributes const& attrs) {
  if (!pairs) return pairs;
  extents_list const shape = pairs.facts().shape();
  attributes along = attrs;
  along.set(iota_params{dtype::uint64, shape.count - 1, shape});
  auto const second = b.template emit<ops::iota>({}, along);
  auto const turn = make<ops::multiply>(
      b, {make<ops::bitwise_xor>(b, {second, whole_number(b, 1, dtype::uint64)}), whole_number(b, 32, dtype::uint64)});
  return cast_to_element(b, make<ops::shift_right_logical>(b, {pairs, turn}), dtype::uint32);
}

}  // namespace detail
}  // namespace tessera
