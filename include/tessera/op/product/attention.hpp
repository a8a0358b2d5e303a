// SPDX-License-Identifier: Apache-2.0
#pragma once
// dot_product_attention(q, k, v, options...): softmax(q k^T * scale + bias) v for each head.
//   q: (batch, t, heads, size), k, v: (batch, s, groups, size) -> (batch, t, heads, size), of v's dtype
// without the batch dimension, too. heads is a multiple of groups: several heads of q share one of k and v (grouped
// queries; one group: multi-query). Options:
//   causal                  position t sees positions 0 .. t
//   local_window<3, 0>      position t sees t - 3 .. t
//   attention_bias(b)       added to the scores; (batch, heads, t, s), or 1 for any of these
//   attention_mask(m)       bool of such a shape: what it sees; a row that sees nothing weighs all alike
//   attention_scale(0.5)    in the place of 1 / sqrt(size)
//   query_lengths(n), key_lengths(n)   int32 (batch): positions behind are padding: results 0, not seen
// Scores and softmax are float32 for 16-bit types. The result has q's layout; batch and heads that are split alike stay
// so, and nothing is sent; where size or s is split, parts of sums are added up. Memory: batch x heads x t x s scores. Source: JAX 0.10.2 jax.nn.dot_product_attention.

#include <tessera/base/square_root.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {

struct causal_t {};
inline constexpr causal_t causal{};
template <int Left, int Right>
struct local_window_t {};
template <int Left, int Right>
inline constexpr local_window_t<Left, Right> local_window{};

namespace detail {

// An operand of attention besides q, k and v.
enum class attention_part : std::uint8_t { bias, mask, query_lengths, key_lengths, scale };
template <attention_part Part, class X>
struct attention_operand {
  X given;
};
template <class T>
inline constexpr bool is_attention_option = false;
template <>
inline constexpr bool is_attention_option<causal_t> = true;
template <int Left, int Right>
inline constexpr bool is_attention_option<local_window_t<Left, Right>> = true;
template <attention_part Part, class X>
inline constexpr bool is_attention_option<attention_operand<Part, X>> = true;
template <class T>
concept AttentionOption = is_attention_option<T>;

}  // namespace detail

namespace ops {

// Which operands stand behind q, k and v, in this order; and how far a position sees to both sides, -1: to the end.
struct attention_params {
  bool bias = false, mask = false, query_lengths = false, key_lengths = false, scale = false;
  std::int64_t left = -1, right = -1;
  static constexpr void fields(auto& p, auto&& each) {
    each(p.bias, p.mask, p.query_lengths, p.key_lengths, p.scale, p.left, p.right);
  }
};

struct dot_product_attention {
  static constexpr std::string_view name = "dot_product_attention";
  static constexpr op_class kind = op_class::dot;

  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    array_value const given = x[0].facts();
    if (given.rank == 4) return batched(b, x, attrs.as<attention_params>());
    if (given.rank != 3) return refused(b, reason::ranks_disagree, given, x[1].facts(), given.rank, 4);
    term one[builder::max_operands]{};
    for (int k = 0; k < count; ++k) {
      one[k] = x[k];
      if (k >= 3 || !x[k]) continue;
      if (x[k].facts().rank != 3) return refused(b, reason::ranks_disagree, given, x[k].facts(), 3, x[k].facts().rank);
      one[k] = with_ones(b, x[k], {0});
      if (!one[k]) return one[k];
    }
    term const made = batched(b, one, attrs.as<attention_params>());
    return made ? make<reshape>(b, {made}, {reshape_params{given.shape()}, layout_of(given)}) : made;
  }

private:
  template <class B>
  static constexpr term refused(B& b, reason why, array_value x, array_value y, std::int64_t size, std::int64_t other) {
    return b.template refuse<dot_product_attention>(refuse(why, -1, {}, size, other), x, y);
  }
  template <class B>
  static constexpr term differ(B& b, int at, array_value x, array_value y) {
    return b.template refuse<dot_product_attention>(refuse(reason::shapes_disagree, at, {}, x.extent(at), y.extent(at)),
                                                    x, y);
  }
  // Dimensions of one element put in at these places of the result.
  template <class B>
  static constexpr term with_ones(B& b, term x, std::initializer_list<int> places) {
    if (!x) return x;
    array_value to = x.facts();
    for (int d : places) to = with_dim(to, d, 1);
    return make<reshape>(b, {x}, {reshape_params{to.shape()}, layout_of(to)});
  }
  // The dimension of heads, at `at`, as groups and heads in each; split axes stay with the groups where these divide.
  template <class B>
  static constexpr term grouped(B& b, term x, int at, std::int64_t groups) {
    if (!x) return x;
    array_value to = x.facts();
    std::int64_t const heads = to.extent(at);
    std::int64_t const first = heads == 1 ? 1 : groups, each = heads == 1 ? 1 : heads / groups;
    entry_value const split = to.entry(at);
    to = with_dim(to, at + 1, each);
    to.extent(at) = first;
    auto const parts = b.mesh().devices(split.axes());
    if (parts > 0 && first % parts != 0) {
      to.entry(at) = {};
      to.entry(at + 1) = split;
    }
    return make<reshape>(b, {x}, {reshape_params{to.shape()}, layout_of(to)});
  }
  // (batch, heads, t, s) -> (batch, groups, t, heads in each, s), as the scores are.
  template <class B>
  static constexpr term like_scores(B& b, term x, std::int64_t groups) {
    term const parts = grouped(b, x, 1, groups);
    return parts ? make<permute>(b, {parts}, permute_params{{0, 1, 3, 2, 4}}) : parts;
  }
  // Positions along dimension `dim` of the scores, whose other extents are 1.
  template <class B>
  static constexpr term positions(B& b, int dim, std::int64_t n) {
    extents_list shape;
    for (int d = 0; d < 5; ++d) shape.push_back(d == dim ? n : 1);
    array_value plain;
    plain.rank = 5;
    return make<iota>(b, {}, {iota_params{dtype::int32, dim, shape}, layout_of(plain)});
  }
  template <class B>
  static constexpr term both(B& b, term x, term y) {
    return x && y ? make<logical_and>(b, {x, y}) : x ? x : y;
  }

  template <class B>
  static constexpr term batched(B& b, term const* x, attention_params const& asked) {
    array_value const q = x[0].facts(), k = x[1].facts(), v = x[2].facts();
    for (int i = 1; i < 3; ++i)
      if (x[i].facts().rank != 4) return refused(b, reason::ranks_disagree, q, x[i].facts(), 4, x[i].facts().rank);
    for (int i = 0; i < 3; ++i)
      if (!is_floating(x[i].facts().element))
        return b.template refuse<dot_product_attention>(refuse(reason::element_unsupported), x[i].facts());
    std::int64_t const t = q.extent(1), s = k.extent(1), heads = q.extent(2), groups = k.extent(2), size = q.extent(3);
    for (int at = 0; at < 4; ++at) {
      if (at != 1 && at != 2 && q.extent(at) != k.extent(at)) return differ(b, at, q, k);
      if (at != 3 && k.extent(at) != v.extent(at)) return differ(b, at, k, v);
    }
    if (groups == 0 || heads % groups != 0)
      return b.template refuse<dot_product_attention>(refuse(reason::shapes_disagree, 2, {}, heads, groups), q, k);
    int next = 3;
    term const bias = asked.bias ? x[next++] : term{}, mask = asked.mask ? x[next++] : term{};
    term const queries = asked.query_lengths ? x[next++] : term{}, keys = asked.key_lengths ? x[next++] : term{};
    if (bias && bias.facts().rank != 4)
      return refused(b, reason::ranks_disagree, q, bias.facts(), 4, bias.facts().rank);
    if (mask && mask.facts().rank != 4)
      return refused(b, reason::ranks_disagree, q, mask.facts(), 4, mask.facts().rank);

    term const rows = grouped(b, x[0], 2, groups);
    term scores = product(b, rows, x[1], dot_params{{4}, {3}, {0, 2}, {0, 2}});  // (batch, groups, t, each, s)
    if (!scores) return scores;
    dtype const summed = scores.facts().element;
    scores = asked.scale ? scores * x[next] : scores * (1.0 / tessera::detail::square_root(static_cast<double>(size)));
    if (bias) scores = make<add>(b, {scores, make<cast>(b, {like_scores(b, bias, groups)}, cast_params{summed})});
    term seen{};
    if (mask) seen = like_scores(b, make<cast>(b, {mask}, cast_params{dtype::boolean}), groups);
    if (asked.left >= 0 || asked.right >= 0) {
      term const row = positions(b, 2, t), column = positions(b, 4, s);
      if (asked.right >= 0) {
        term const last = row + number(b, static_cast<double>(asked.right), dtype::int32);
        seen = both(b, seen, make<less_equal>(b, {column, last}));
      }
      if (asked.left >= 0) {
        term const from = row - number(b, static_cast<double>(asked.left), dtype::int32);
        seen = both(b, seen, make<greater_equal>(b, {column, from}));
      }
    }
    if (keys) seen = both(b, seen, make<less>(b, {positions(b, 4, s), with_ones(b, keys, {1, 2, 3, 4})}));
    term const real = queries ? make<less>(b, {positions(b, 2, t), with_ones(b, queries, {1, 2, 3, 4})}) : term{};
    seen = both(b, seen, real);
    if (seen) {
      double const lowest = -0.7 * (summed == dtype::float64 ? std::numeric_limits<double>::max()
                                                             : static_cast<double>(std::numeric_limits<float>::max()));
      scores = make<where>(b, {seen, scores, number(b, lowest, summed)});
    }
    if (!scores) return scores;
    term weights = make<softmax>(b, {scores}, reduce_params{{4}});
    weights = weights ? make<cast>(b, {weights}, cast_params{v.element}) : weights;
    term made = product(b, weights, x[2], dot_params{{4}, {1}, {0, 1}, {0, 2}});  // (batch, groups, t, each, size)
    if (!made) return made;
    if (real) made = make<where>(b, {real, made, number(b, 0.0, made.facts().element)});
    if (!made) return made;
    made = make<permute>(b, {make<cast>(b, {made}, cast_params{v.element})}, permute_params{{0, 2, 1, 3, 4}});
    array_value to = q;
    to.element = v.element;
    if (!made) return made;
    made = make<reshape>(b, {made}, {reshape_params{to.shape()}, merged_layout(made.facts())});
    if (!made || made.facts().same_spec(to)) return made;
    attributes back;
    back.has_out = true;
    back.out = layout_of(to);
    return make<reshard>(b, {made}, back);
  }
  // (batch, t, groups, each, size) -> (batch, t, heads, size).
  static constexpr spec_value merged_layout(array_value const& x) {
    array_value to = without_dim(x, 3);
    to.entry(2) = x.entry(2).empty() ? x.entry(3) : x.entry(2);
    return layout_of(to);
  }
  // Half types are summed in float32. Parts of a sum on several devices are added up.
  template <class B>
  static constexpr term product(B& b, term x, term y, dot_params const& along) {
    if (!x || !y) return {&b, -1};
    attributes to = along;
    to.has_out = true;
    array_value const left = x.facts(), right = y.facts();
    auto const add = [&](entry_value const& entry) { to.out.entries[to.out.rank++] = entry; };
    for (int k = 0; k < along.lhs_batch.size(); ++k) {
      entry_value const split = left.entry(static_cast<int>(along.lhs_batch[k]));
      add(split.empty() ? right.entry(static_cast<int>(along.rhs_batch[k])) : split);
    }
    for (int d = 0; d < left.rank; ++d)
      if (along.lhs_batch.find(d) < 0 && along.lhs_contracting.find(d) < 0) add(left.entry(d));
    for (int d = 0; d < right.rank; ++d)
      if (along.rhs_batch.find(d) < 0 && along.rhs_contracting.find(d) < 0) add(right.entry(d));
    if (bytes_of(left.element) < 4) return make<preferred_dot<float>>(b, {x, y}, to);
    return make<dot_general>(b, {x, y}, to);
  }
};

}  // namespace ops

namespace detail {

template <attention_part Part, class T>
inline constexpr bool is_attention_part = false;
template <attention_part Part, class X>
inline constexpr bool is_attention_part<Part, attention_operand<Part, X>> = true;

template <class... Options>
struct attention_options {
  template <attention_part Part>
  static constexpr bool has = (is_attention_part<Part, Options> || ...);

  static constexpr void see(ops::attention_params& p, causal_t) { p.right = 0; }
  template <int Left, int Right>
  static constexpr void see(ops::attention_params& p, local_window_t<Left, Right>) {
    static_assert(Left >= 0 && Right >= 0, "tessera: a window of attention reaches so many places to both sides.");
    p.left = Left;
    p.right = p.right == 0 ? 0 : Right;
  }
  template <class T>
  static constexpr void see_option(ops::attention_params& p) {
    if constexpr (std::is_empty_v<T>) see(p, T{});
  }
  template <Mesh M>
  static constexpr ops::attention_params on() {
    ops::attention_params p;
    p.bias = has<attention_part::bias>;
    p.mask = has<attention_part::mask>;
    p.query_lengths = has<attention_part::query_lengths>;
    p.key_lengths = has<attention_part::key_lengths>;
    p.scale = has<attention_part::scale>;
    (see_option<Options>(p), ...);
    return p;
  }
};

// The operands among the options, in the order of attention_part.
template <attention_part Part, attention_part Given, class X>
constexpr auto option_as(attention_operand<Given, X> const& option) {
  if constexpr (Part == Given)
    return std::tuple<X>{option.given};
  else
    return std::tuple<>{};
}
template <attention_part, class T>
constexpr std::tuple<> option_as(T const&) {
  return {};
}
template <attention_part Part, class... Options>
constexpr auto options_as(Options const&... options) {
  return std::tuple_cat(option_as<Part>(options)...);
}
template <class Q, class K, class V, class... Options>
constexpr auto attend(site at, Q const& q, K const& k, V const& v, Options const&... options) {
  using part = attention_part;
  return std::apply(
      [&](auto const&... more) {
        return invoke<ops::dot_product_attention, attention_options<Options...>>(at, q, k, v, more...);
      },
      std::tuple_cat(options_as<part::bias>(options...), options_as<part::mask>(options...),
                     options_as<part::query_lengths>(options...), options_as<part::key_lengths>(options...),
                     options_as<part::scale>(options...)));
}

}  // namespace detail

namespace functions {

template <class X>
constexpr auto attention_bias(X const& x) {
  return detail::attention_operand<detail::attention_part::bias, X>{x};
}
template <class X>
constexpr auto attention_mask(X const& x) {
  return detail::attention_operand<detail::attention_part::mask, X>{x};
}
template <class X>
constexpr auto attention_scale(X const& x) {
  return detail::attention_operand<detail::attention_part::scale, X>{x};
}
template <class X>
constexpr auto query_lengths(X const& x) {
  return detail::attention_operand<detail::attention_part::query_lengths, X>{x};
}
template <class X>
constexpr auto key_lengths(X const& x) {
  return detail::attention_operand<detail::attention_part::key_lengths, X>{x};
}

// One for each number of options: the line of the call comes after them.
template <class Q, class K, class V>
constexpr auto dot_product_attention(Q const& q, K const& k, V const& v, site at = std::source_location::current()) {
  return detail::attend(at, q, k, v);
}
template <class Q, class K, class V, detail::AttentionOption A>
constexpr auto dot_product_attention(Q const& q, K const& k, V const& v, A const& a,
                                     site at = std::source_location::current()) {
  return detail::attend(at, q, k, v, a);
}
template <class Q, class K, class V, detail::AttentionOption A, detail::AttentionOption B>
constexpr auto dot_product_attention(Q const& q, K const& k, V const& v, A const& a, B const& b,
                                     site at = std::source_location::current()) {
  return detail::attend(at, q, k, v, a, b);
}
template <class Q, class K, class V, detail::AttentionOption A, detail::AttentionOption B, detail::AttentionOption C>
constexpr auto dot_product_attention(Q const& q, K const& k, V const& v, A const& a, B const& b, C const& c,
                                     site at = std::source_location::current()) {
  return detail::attend(at, q, k, v, a, b, c);
}
template <class Q, class K, class V, detail::AttentionOption A, detail::AttentionOption B, detail::AttentionOption C,
          detail::AttentionOption D>
constexpr auto dot_product_attention(Q const& q, K const& k, V const& v, A const& a, B const& b, C const& c, D const& d,
                                     site at = std::source_location::current()) {
  return detail::attend(at, q, k, v, a, b, c, d);
}

}  // namespace functions

}  // namespace tessera
