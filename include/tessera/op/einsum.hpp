// SPDX-License-Identifier: Apache-2.0
#pragma once
// einsum<"bij,bjk->bik">(a, b), einsum<"ij->ji">(x): one or two operands, one letter a dimension. Letters missing from
// the result are summed; without "->" the result has the letters that occur once, in alphabetical order.
// Layouts, gradients and bytes are those of the sums, the dot_general and the transpose it becomes.
// Source: JAX 0.10.2 jnp.einsum. Differs: no ellipsis, no letter twice in one operand, at most two operands.

#include <tessera/base/text.hpp>
#include <tessera/op/dot_general.hpp>
#include <tessera/op/reduce.hpp>

namespace tessera {
namespace ops {

// The letters of an einsum: each operand's and the result's.
struct einsum_letters {
  std::string_view operand[2]{};
  fixed_text<32> result{};
  int operands = 0;
  bool well_formed = true;
};

constexpr bool each_letter_once(std::string_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    bool const letter = (letters[i] >= 'a' && letters[i] <= 'z') || (letters[i] >= 'A' && letters[i] <= 'Z');
    if (!letter || letters.find(letters[i], i + 1) != std::string_view::npos) return false;
  }
  return letters.size() <= max_rank;
}

constexpr einsum_letters parse_einsum(std::string_view text) {
  einsum_letters e;
  auto const arrow = text.find("->");
  std::string_view in = text.substr(0, arrow == std::string_view::npos ? text.size() : arrow);
  for (e.operands = 0; e.operands < 2;) {
    auto const comma = in.find(',');
    e.operand[e.operands++] = in.substr(0, comma);
    if (comma == std::string_view::npos) break;
    in = in.substr(comma + 1);
    if (e.operands == 2) e.well_formed = false;
  }
  for (int k = 0; k < e.operands; ++k) e.well_formed = e.well_formed && each_letter_once(e.operand[k]);
  if (arrow != std::string_view::npos) {
    e.result += text.substr(arrow + 2);
  } else {
    for (char c = 'A'; c <= 'z'; ++c) {
      int seen = 0;
      for (int k = 0; k < e.operands; ++k) seen += e.operand[k].find(c) != std::string_view::npos;
      if (seen == 1) e.result += c;
    }
  }
  e.well_formed = e.well_formed && each_letter_once(e.result.view());
  for (char c : e.result.view()) {
    bool known = false;
    for (int k = 0; k < e.operands; ++k) known = known || e.operand[k].find(c) != std::string_view::npos;
    e.well_formed = e.well_formed && known;
  }
  return e;
}

template <fixed_string Text>
struct einsum {
  static constexpr std::string_view name = "einsum";
  static constexpr op_class kind = op_class::dot;
  static constexpr einsum_letters letters = parse_einsum(Text.view());

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    if (!letters.well_formed || count != letters.operands)
      return b.template refuse<einsum>(refuse(reason::malformed_einsum), operands[0].facts());
    fixed_text<32> have[2];
    term x[2]{};
    for (int k = 0; k < count; ++k) {
      if (operands[k].facts().rank != static_cast<int>(letters.operand[k].size()))
        return b.template refuse<einsum>(refuse(reason::ranks_disagree, -1, {}, operands[k].facts().rank,
                                                static_cast<std::int64_t>(letters.operand[k].size())),
                                         operands[k].facts());
      x[k] =
          without_lonely_letters(b, operands[k], letters.operand[k], count == 2 ? letters.operand[1 - k] : "", have[k]);
      if (!x[k]) return x[k];
    }
    fixed_text<32> produced = have[0];
    if (count == 2) {
      produced = {};
      x[0] = contracted(b, x[0], have[0].view(), x[1], have[1].view(), produced, attrs);
    }
    if (!x[0] || produced.view() == letters.result.view()) return finished(b, x[0], count, attrs);
    attributes order;
    for (char c : letters.result.view()) order.first.push_back(static_cast<std::int64_t>(produced.view().find(c)));
    return finished(b, b.template make<permute>({x[0]}, order), count, attrs);
  }

private:
  // Sums the dimensions whose letter neither the other operand nor the result has.
  template <class B>
  static constexpr term without_lonely_letters(B& b, term x, std::string_view own, std::string_view other,
                                               fixed_text<32>& kept) {
    attributes over;
    for (std::size_t i = 0; i < own.size(); ++i) {
      bool const lonely =
          other.find(own[i]) == std::string_view::npos && letters.result.view().find(own[i]) == std::string_view::npos;
      if (lonely)
        over.first.push_back(static_cast<std::int64_t>(i));
      else
        kept += own[i];
    }
    return over.first.empty() ? x : b.template make<sum>({x}, over);
  }
  template <class B>
  static constexpr term contracted(B& b, term x, std::string_view l, term y, std::string_view r,
                                   fixed_text<32>& produced, attributes const& asked) {
    attributes to;
    extents_list batch_right;
    fixed_text<32> free_left, free_right;
    for (std::size_t i = 0; i < l.size(); ++i) {
      auto const j = r.find(l[i]);
      if (j == std::string_view::npos) {
        free_left += l[i];
      } else if (letters.result.view().find(l[i]) == std::string_view::npos) {
        to.first.push_back(static_cast<std::int64_t>(i));
        to.second.push_back(static_cast<std::int64_t>(j));
      } else {
        produced += l[i];
        to.third.push_back(static_cast<std::int64_t>(i));
        batch_right.push_back(static_cast<std::int64_t>(j));
      }
    }
    for (auto d : batch_right) to.third.push_back(d);
    for (char c : r)
      if (l.find(c) == std::string_view::npos) free_right += c;
    produced += free_left.view();
    produced += free_right.view();
    if (asked.has_out) {  // out_sharding is of the result: here in the product's order
      to.has_out = true;
      to.out.unreduced = asked.out.unreduced;
      to.out.reduced = asked.out.reduced;
      for (char c : produced.view())
        to.out.entries[static_cast<std::size_t>(to.out.rank++)] =
            asked.out[static_cast<int>(letters.result.view().find(c))];
    }
    return b.template make<dot_general>({x, y}, to);
  }
  template <class B>
  static constexpr term finished(B& b, term result, int count, attributes const& attrs) {
    if (!result || !attrs.has_out || count == 2) return result;
    return b.template make<reshard>({result}, attrs);
  }
};

}  // namespace ops

template <fixed_string Text, class X>
constexpr auto einsum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, no_params>(at, x);
}
template <fixed_string Text, class X, Spec S>
constexpr auto einsum(X const& x, out_sharding_t<S>, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, with_out<no_params, S>>(at, x);
}
template <fixed_string Text, class X, class Y>
  requires(!std::is_same_v<Y, site>)
constexpr auto einsum(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, no_params>(at, x, y);
}
template <fixed_string Text, class X, class Y, Spec S>
constexpr auto einsum(X const& x, Y const& y, out_sharding_t<S>, site at = std::source_location::current()) {
  return invoke<ops::einsum<Text>, with_out<no_params, S>>(at, x, y);
}

}  // namespace tessera
