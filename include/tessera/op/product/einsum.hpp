// SPDX-License-Identifier: Apache-2.0
#pragma once
// einsum<"bij,bjk->bik">(a, b), einsum<"ij->ji">(x), einsum<"ij,jk,kl->il">(a, b, c): up to eight operands, one letter
// a dimension. "...ij,...jk->...ik": dimensions that are broadcast; "ii->i": a repeated letter is a diagonal. An extent
// of 1 agrees with any other extent of its letter. Letters missing from the result are summed; without "->" the result
// has the letters that occur once, in alphabetical order. Several operands are multiplied two by two, in the order with
// the fewest multiplications. Layouts, gradients and bytes are those of the sums, dot_generals and transpose that it
// becomes. With one operand, out_sharding is the layout of its sum, before the transpose; without a sum it does
// nothing. With out_sharding, intermediate products of more than two operands get layouts for which none is refused;
// JAX leaves these layouts to its compiler. Source: JAX 0.10.2 jnp.einsum.

#include <tessera/base/text.hpp>
#include <tessera/op/create/triangle.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/product/einsum_letters.hpp>
#include <tessera/op/product/einsum_order.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>

#include <tuple>

namespace tessera {
namespace ops {

template <fixed_string Text>
struct einsum;

template <fixed_string Text, class Product>
struct einsum_by {
  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    int ranks[builder::max_operands]{};
    for (int k = 0; k < count; ++k) ranks[k] = operands[k].facts().rank;
    einsum_letters letters = parse_einsum(Text.view(), ranks, count);
    if (!letters.well_formed || count != letters.operands)
      return b.template refuse<einsum<Text>>(refuse(reason::malformed_einsum), operands[0].facts());
    std::int64_t extents[einsum_letters::kinds]{};
    part x[einsum_letters::most];
    for (int k = 0; k < count; ++k) {
      array_value const own = operands[k].facts();
      auto const text = letters.operand[k].view();
      if (own.rank != static_cast<int>(text.size()))
        return b.template refuse<einsum<Text>>(
            refuse(reason::ranks_disagree, -1, {}, own.rank, static_cast<std::int64_t>(text.size())), own);
      for (int d = 0; d < own.rank; ++d) {
        std::int64_t& known = extents[einsum_letters::index_of(text[d])];
        if (known == 0 || known == 1) known = own.extent(d);
      }
    }
    bool sums = false;
    for (int k = 0; k < count; ++k) {
      sums = sums || !each_letter_once(letters.operand[k].view());
      x[k] = each_dim_once(b, operands[k], letters.operand[k].view(), extents);
      if (!x[k].value) return x[k].value;
      letters.operand[k] = x[k].letters;
    }
    einsum_order const order(letters, extents);
    // The layout of one operand's sum is requested from the sum, which sends it directly.
    bool const out_of_sum = count == 1 && attrs.has_out && attrs.out.unreduced.empty() && attrs.out.reduced.empty();
    bool laid_out = false;
    for (int k = 0; k < count; ++k) {
      x[k] = without_lonely_letters(b, x[k].value, letters.operand[k].view(), order.kept(1u << k),
                                    out_of_sum ? &attrs : nullptr);
      if (!x[k].value) return x[k].value;
      laid_out = x[k].letters.view() != letters.operand[k].view();
      sums = sums || laid_out;
    }
    part product = product_of(b, order, x, (1u << count) - 1, attrs, letters.result.view(), true);
    if (count == 1 && attrs.has_out && sums && !(out_of_sum && laid_out) && product.value)
      product.value = make<reshard>(b, {product.value}, attrs);
    if (!product.value || product.letters.view() == letters.result.view()) return product.value;
    permute_params turned;
    for (char c : letters.result.view())
      turned.order.push_back(static_cast<std::int64_t>(product.letters.view().find(c)));
    return make<permute>(b, {product.value}, turned);
  }

private:
  struct part {
    term value{};
    fixed_text<32> letters{};
  };
  static constexpr bool has(std::uint64_t set, char c) { return (set >> einsum_letters::index_of(c)) & 1u; }

  // Drops dimensions that are broadcast; takes the diagonal of a letter that occurs twice.
  template <class B>
  static constexpr part each_dim_once(B& b, term x, std::string_view own, std::int64_t const* extents) {
    part result{x, {}};
    squeeze_params gone;
    for (std::size_t d = 0; d < own.size(); ++d) {
      bool const broadcast = x.facts().extent(static_cast<int>(d)) == 1 && own.find(own[d]) == own.rfind(own[d]);
      if (broadcast && extents[einsum_letters::index_of(own[d])] != 1)
        gone.dims.push_back(static_cast<std::int64_t>(d));
      else
        result.letters += own[d];
    }
    if (!gone.dims.empty()) result.value = make<squeeze>(b, {x}, gone);
    while (result.value) {
      auto const text = result.letters.view();
      std::size_t one = 0, other = std::string_view::npos;
      for (; one < text.size(); ++one)
        if (other = text.find(text[one], one + 1); other != std::string_view::npos) break;
      if (one >= text.size()) break;
      array_value const facts = result.value.facts();
      int const p = static_cast<int>(one), q = static_cast<int>(other);
      if (facts.extent(p) != facts.extent(q))
        return {b.template refuse<einsum<Text>>(
                    refuse(reason::shapes_disagree, q, {}, facts.extent(p), facts.extent(q)), facts),
                {}};
      auto const zero = number(b, 0.0, facts.element);
      auto const only = make<where>(b, {on_the_diagonal(b, facts, p, q, 0), result.value, zero});
      reduce_params over{{static_cast<std::int64_t>(q)}};
      fixed_text<32> left;
      for (std::size_t d = 0; d < text.size(); ++d)
        if (d != other) left += text[d];
      result.value = make<sum>(b, {only}, over);
      result.letters = left;
    }
    return result;
  }

  // Sums the dimensions whose letter nothing else needs, into the layout of `out` if it is given.
  template <class B>
  static constexpr part without_lonely_letters(B& b, term x, std::string_view own, std::uint64_t needed,
                                               attributes const* out) {
    part result{x, {}};
    reduce_params over;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (has(needed, own[i]))
        result.letters += own[i];
      else
        over.dims.push_back(static_cast<std::int64_t>(i));
    }
    if (over.dims.empty()) return result;
    result.value =
        out ? make<reduce_sum>(b, {sum::prepared(b, x)}, attributes(over, out->out)) : make<sum>(b, {x}, over);
    return result;
  }
  template <class B>
  static constexpr part product_of(B& b, einsum_order const& order, part const* x, unsigned set,
                                   attributes const& asked, std::string_view wanted, bool last = false) {
    if ((set & (set - 1)) == 0) {
      int k = 0;
      while (!((set >> k) & 1u)) ++k;
      return x[k];
    }
    unsigned const half = order.half(set);
    part const left = product_of(b, order, x, half, asked, wanted),
               right = product_of(b, order, x, set & ~half, asked, wanted);
    if (!left.value || !right.value) return {{&b, -1}, {}};
    bool const turned = (half & (~half + 1)) > ((set & ~half) & (~(set & ~half) + 1));
    part const &first = turned ? right : left, &second = turned ? left : right;
    return second_decides(first, second, order.kept(set), wanted)
               ? contracted(b, second, first, order.kept(set), asked, wanted, last)
               : contracted(b, first, second, order.kept(set), asked, wanted, last);
  }
  // The first operand stays on the left, unless dimensions that both keep are split differently: the left operand of a
  // dot_general decides the result's layout, and JAX puts the second there unless the other order is the result's.
  static constexpr bool second_decides(part const& first, part const& second, std::uint64_t needed,
                                       std::string_view wanted) {
    auto const l = first.letters.view(), r = second.letters.view();
    bool alike = true;
    fixed_text<32> batch, rest;
    for (std::size_t i = 0; i < l.size(); ++i) {
      auto const j = r.find(l[i]);
      if (j == std::string_view::npos) {
        rest += l[i];
      } else if (has(needed, l[i])) {
        alike =
            alike && first.value.facts().entry(static_cast<int>(i)) == second.value.facts().entry(static_cast<int>(j));
      }
    }
    if (alike) return false;
    for (char c : wanted)
      if (l.find(c) != std::string_view::npos && r.find(c) != std::string_view::npos) batch += c;
    batch += rest.view();
    for (char c : r)
      if (l.find(c) == std::string_view::npos) batch += c;
    return batch.view() != wanted;
  }
  template <class B>
  static constexpr part contracted(B& b, part const& left, part const& right, std::uint64_t needed,
                                   attributes const& asked, std::string_view wanted, bool last) {
    auto const l = left.letters.view(), r = right.letters.view();
    part product;
    dot_params dims;
    fixed_text<32> free_left, free_right;
    for (std::size_t i = 0; i < l.size(); ++i) {
      auto const j = r.find(l[i]);
      if (j == std::string_view::npos) {
        free_left += l[i];
      } else if (!has(needed, l[i])) {
        dims.lhs_contracting.push_back(static_cast<std::int64_t>(i));
        dims.rhs_contracting.push_back(static_cast<std::int64_t>(j));
      } else {
        product.letters += l[i];
        dims.lhs_batch.push_back(static_cast<std::int64_t>(i));
        dims.rhs_batch.push_back(static_cast<std::int64_t>(j));
      }
    }
    for (char c : r)
      if (l.find(c) == std::string_view::npos) free_right += c;
    product.letters += free_left.view();
    product.letters += free_right.view();
    // out_sharding belongs to the result: here in the product's order. An intermediate product has the layouts of its
    // operands, with those of the first taking precedence.
    attributes to = dims;
    to.has_out = asked.has_out;
    if (asked.has_out && last) {
      to.out.unreduced = asked.out.unreduced;
      to.out.reduced = asked.out.reduced;
      for (char c : product.letters.view()) to.out.entries[to.out.rank++] = asked.out[static_cast<int>(wanted.find(c))];
    } else if (asked.has_out) {
      axis_set used;
      for (char c : product.letters.view()) {
        auto const i = l.find(c);
        part const& from = i != std::string_view::npos ? left : right;
        entry_value const own = from.value.facts().entry(static_cast<int>(&from == &left ? i : r.find(c)));
        to.out.entries[to.out.rank++] = without(own, used);
        used |= own.axes();
      }
    }
    product.value = make<Product>(b, {left.value, right.value}, to);
    return product;
  }
};
template <fixed_string Text>
struct einsum : einsum_by<Text, dot_general> {
  static constexpr std::string_view name = "einsum";
  static constexpr op_class kind = op_class::dot;
  template <class Product>
  using by = einsum_by<Text, Product>;
};
template <fixed_string Text, class Element>
using preferred_einsum = preferring<einsum<Text>, einsum<Text>::template by, Element>;

}  // namespace ops

namespace functions {

template <fixed_string Text, class X>
constexpr auto einsum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, no_params>(at, x);
}
template <fixed_string Text, class X, Spec S, Mesh M>
constexpr auto einsum(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, with_out<no_params, S, M>>(at, x);
}
template <fixed_string Text, class X, class Element>
constexpr auto einsum(X const& x, preferred_t<Element>, site at = std::source_location::current()) {
  return einsum<Text>(astype<Element>(x, at), at);
}
template <fixed_string Text, class X, class Element, Spec S, Mesh M>
constexpr auto einsum(X const& x, preferred_t<Element>, out_sharding_t<S, M> out,
                      site at = std::source_location::current()) {
  return einsum<Text>(astype<Element>(x, at), out, at);
}
template <fixed_string Text, class X, class Y>
  requires(!std::is_same_v<Y, site>)
constexpr auto einsum(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, no_params>(at, x, y);
}
template <fixed_string Text, class X, class Y, Spec S, Mesh M>
constexpr auto einsum(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, with_out<no_params, S, M>>(at, x, y);
}
template <fixed_string Text, class X, class Y, class Element>
constexpr auto einsum(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferred_einsum<Text, Element>, no_params>(at, x, y);
}
template <fixed_string Text, class X, class Y, class Element, Spec S, Mesh M>
constexpr auto einsum(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::preferred_einsum<Text, Element>, with_out<no_params, S, M>>(at, x, y);
}
template <fixed_string Text, class X, class Y, class Z>
  requires(!std::is_same_v<Z, site> && Operand<Z>)
constexpr auto einsum(X const& x, Y const& y, Z const& z, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, no_params>(at, x, y, z);
}
template <fixed_string Text, class X, class Y, class Z, Spec S, Mesh M>
constexpr auto einsum(X const& x, Y const& y, Z const& z, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, with_out<no_params, S, M>>(at, x, y, z);
}
// Four operands and more, as a std::tuple.
template <fixed_string Text, class... X>
constexpr auto einsum(std::tuple<X...> const& x, site at = std::source_location::current()) {
  return detail::invoke_on_parts<ops::einsum<Text>, no_params>(std::index_sequence_for<X...>{}, at, x);
}
template <fixed_string Text, class... X, Spec S, Mesh M>
constexpr auto einsum(std::tuple<X...> const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return detail::invoke_on_parts<ops::einsum<Text>, with_out<no_params, S, M>>(std::index_sequence_for<X...>{}, at, x);
}
template <fixed_string Text, class... X, class Element>
constexpr auto einsum(std::tuple<X...> const& x, preferred_t<Element>, site at = std::source_location::current()) {
  return detail::invoke_on_parts<ops::preferred_einsum<Text, Element>, no_params>(std::index_sequence_for<X...>{}, at,
                                                                                  x);
}

}  // namespace functions

}  // namespace tessera
