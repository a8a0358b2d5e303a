// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exact numbers that depend on sizes known at run time only: sums of products of sizes, with axis sizes in
// denominators, as 512*arg0.dim0/dp - 512*arg0.dim0/(dp*mp). They can be compared, added, printed, and evaluated for
// given sizes.

#include <tessera/base/inplace_list.hpp>
#include <tessera/base/text.hpp>

#include <iosfwd>
#include <numeric>
#include <stdexcept>
#include <string>

namespace tessera {

inline constexpr int max_sizes = 16;  // unknown sizes of one program

// An unknown size: of a mesh axis, or of a dimension of an argument (each leaf of a tree counts), or a name given to
// it.
struct size_name {
  std::string_view name{};
  int argument = -1, dim = -1;
};
using size_list = inplace_list<std::int64_t, max_sizes>;
using size_names = inplace_list<size_name, max_sizes>;

template <class Text>
constexpr void append_name(Text& text, size_name const& n) {
  text += n.name;
  if (!n.name.empty()) return;
  text += "arg";
  append_number(text, n.argument);
  text += ".dim";
  append_number(text, n.dim);
}

// numerator / denominator times sizes to their powers.
struct size_term {
  std::int64_t numerator = 0, denominator = 1;
  std::array<std::int8_t, max_sizes> powers{};

  constexpr size_term operator*(size_term const& other) const {
    size_term product = *this;
    product.numerator *= other.numerator;
    product.denominator *= other.denominator;
    for (std::size_t i = 0; i < max_sizes; ++i)
      product.powers[i] = static_cast<std::int8_t>(powers[i] + other.powers[i]);
    product.reduce();
    return product;
  }
  constexpr void reduce() {
    auto const common = std::gcd(numerator, denominator);
    numerator /= common;
    denominator /= common;
  }
  // The value for these sizes; its powers are 0.
  constexpr size_term at(size_list const& sizes) const {
    size_term number{numerator, denominator, {}};
    for (int i = 0; i < max_sizes; ++i)
      for (int p = powers[i]; p != 0; p += p < 0 ? 1 : -1) {
        if (i >= sizes.size()) throw std::invalid_argument("tessera: a number for each unknown size is needed.");
        (p > 0 ? number.numerator : number.denominator) *= sizes[i];
        number.reduce();
      }
    return number;
  }
  constexpr bool operator==(size_term const&) const = default;
};

class size_polynomial {
public:
  constexpr size_polynomial() = default;
  constexpr explicit size_polynomial(size_names const& names) : names_(names) {}
  constexpr size_polynomial(size_names const& names, size_term const& term) : names_(names) { add(term); }

  constexpr void add(size_term term) {
    term.reduce();
    int at = 0;
    while (at < terms_.size() && terms_[at].powers > term.powers) ++at;
    if (at < terms_.size() && terms_[at].powers == term.powers) {
      size_term& sum = terms_[at];
      sum.numerator = sum.numerator * term.denominator + term.numerator * sum.denominator;
      sum.denominator *= term.denominator;
      sum.reduce();
      if (sum.numerator == 0) {
        for (int i = at; i + 1 < terms_.size(); ++i) terms_[i] = terms_[i + 1];
        terms_[--terms_.count] = {};
      }
    } else if (term.numerator != 0) {
      if (terms_.size() == terms_.capacity()) throw std::length_error("tessera: a sum of too many different products.");
      terms_.push_back(term);
      for (int i = terms_.size() - 1; i > at; --i) std::swap(terms_[i], terms_[i - 1]);
    }
  }
  constexpr size_polynomial& operator+=(size_polynomial const& other) {
    for (size_term const& t : other.terms_) add(t);
    return *this;
  }
  friend constexpr size_polynomial operator+(size_polynomial l, size_polynomial const& r) { return l += r; }

  constexpr bool operator==(size_polynomial const& other) const { return terms_ == other.terms_; }
  constexpr bool operator==(std::int64_t number) const {
    return number == 0 ? terms_.empty() : terms_.size() == 1 && terms_[0] == size_term{number, 1, {}};
  }
  constexpr size_names const& names() const { return names_; }
  constexpr int size() const { return terms_.size(); }

  // The number for these sizes, in the order of names(), rounded up.
  constexpr std::int64_t at(size_list const& sizes) const {
    size_polynomial sum;
    for (size_term const& t : terms_) sum.add(t.at(sizes));
    if (sum.terms_.empty()) return 0;
    return (sum.terms_[0].numerator + sum.terms_[0].denominator - 1) / sum.terms_[0].denominator;
  }

  template <class Text>
  constexpr void describe_to(Text& text) const {
    if (terms_.empty()) text += '0';
    for (int i = 0; i < terms_.size(); ++i) {
      bool const less = terms_[i].numerator < 0;
      if (i > 0 || less) text += i == 0 ? "-" : less ? " - " : " + ";
      append_term(text, terms_[i]);
    }
  }

private:
  template <class Text>
  constexpr void append_factors(Text& text, size_term const& t, int sign, bool first) const {
    for (int i = 0; i < names_.size(); ++i)
      for (int p = t.powers[i] * sign; p > 0; --p) {
        if (!first) text += '*';
        append_name(text, names_[i]);
        first = false;
      }
  }
  template <class Text>
  constexpr void append_term(Text& text, size_term const& t) const {
    auto const number = t.numerator < 0 ? -t.numerator : t.numerator;
    int above = 0, below = t.denominator != 1;
    for (auto p : t.powers) {
      above += p > 0 ? p : 0;
      below -= p < 0 ? p : 0;
    }
    if (number != 1 || above == 0) append_number(text, number);
    append_factors(text, t, 1, number == 1 && above > 0);
    if (below == 0) return;
    text += below > 1 ? "/(" : "/";
    if (t.denominator != 1) append_number(text, t.denominator);
    append_factors(text, t, -1, t.denominator == 1);
    if (below > 1) text += ')';
  }

  size_names names_{};
  inplace_list<size_term, 32> terms_{};
};

inline std::string describe(size_polynomial const& p) {
  std::string text;
  p.describe_to(text);
  return text;
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, size_polynomial const& p) {
  return out << describe(p);
}

}  // namespace tessera
