// SPDX-License-Identifier: Apache-2.0
#pragma once
// Contractions: einsum sums over every value of every label; matmul and dot_general are einsums.

#include "support/oracle/broadcast.hpp"

#include <map>
#include <sstream>

namespace oracle {

// "bij,bjk->bik": any number of operands. Without "->", the labels that occur once, in alphabetical order. A label may
// occur twice in one operand (a diagonal); every label letter has one extent, or 1, which goes with any.
inline tensor einsum(std::string const& text, std::vector<tensor> const& operands) {
  auto const arrow = text.find("->");
  std::vector<std::string> labels;
  std::istringstream inputs(text.substr(0, arrow));
  for (std::string one; std::getline(inputs, one, ',');) labels.push_back(one);
  if (labels.empty()) labels.emplace_back();
  require(labels.size() == operands.size(), "einsum: as many operands as groups of labels");

  std::map<char, std::int64_t> extent_of, uses;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    require(labels[i].size() == operands[i].extents.size(), "einsum: '" + labels[i] + "' labels each dim");
    for (std::size_t d = 0; d < labels[i].size(); ++d) {
      auto const own = operands[i].extents[d];
      auto& known = extent_of.emplace(labels[i][d], own).first->second;
      if (known == 1) known = own;
      require(own == known || own == 1, std::string("einsum: two extents for ") + labels[i][d]);
      ++uses[labels[i][d]];
    }
  }
  std::string result;
  if (arrow != std::string::npos)
    result = text.substr(arrow + 2);
  else
    for (auto [label, count] : uses)
      if (count == 1) result += label;

  ints all;
  std::map<char, std::size_t> position;
  for (auto [label, extent] : extent_of) {
    position[label] = all.size();
    all.push_back(extent);
  }
  auto const pick = [&](std::string const& of, ints const& from) {
    ints at;
    for (char label : of) at.push_back(from[position.at(label)]);
    return at;
  };
  tensor out = full(pick(result, all), 0);
  for_each_index(all, [&](ints const& at) {
    double term = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      ints own = pick(labels[i], at);
      for (std::size_t d = 0; d < own.size(); ++d)
        if (operands[i].extents[d] == 1) own[d] = 0;
      term *= operands[i][own];
    }
    out[pick(result, at)] += term;
  });
  return out;
}

inline tensor einsum(std::string const& text, tensor const& a, tensor const& b) { return einsum(text, {{a, b}}); }

// JAX's dimension_numbers. The result has the batch dims, then a's other dims, then b's.
struct dot_dims {
  ints a_contract, b_contract, a_batch = {}, b_batch = {};
};

inline tensor dot_general(tensor const& a, tensor const& b, dot_dims const& dims) {
  std::string of_a(a.extents.size(), ' '), of_b(b.extents.size(), ' '), result;
  char next = 'a';
  for (std::size_t i = 0; i < dims.a_batch.size(); ++i)
    result += of_a.at(dims.a_batch[i]) = of_b.at(dims.b_batch.at(i)) = next++;
  for (std::size_t i = 0; i < dims.a_contract.size(); ++i)
    of_a.at(dims.a_contract[i]) = of_b.at(dims.b_contract.at(i)) = next++;
  for (auto* labels : {&of_a, &of_b})
    for (char& label : *labels)
      if (label == ' ') result += label = next++;
  return einsum(of_a + "," + of_b + "->" + result, a, b);
}

// The last two dims are matrices, the others broadcast; a vector on either side is a row or a column, dropped after.
inline tensor matmul(tensor a, tensor b) {
  require(a.rank() > 0 && b.rank() > 0, "matmul of a scalar");
  bool const row = a.rank() == 1, column = b.rank() == 1;
  if (row) a.extents.insert(a.extents.begin(), 1);
  if (column) b.extents.push_back(1);
  auto const k = a.extents.back();
  require(b.extents[b.rank() - 2] == k, "matmul: inner extents differ");
  ints const batch =
      broadcast_extents({a.extents.begin(), a.extents.end() - 2}, {b.extents.begin(), b.extents.end() - 2});
  auto const with = [&](std::int64_t m, std::int64_t n) {
    ints extents = batch;
    extents.insert(extents.end(), {m, n});
    return extents;
  };
  auto const m = a.extents[a.rank() - 2], n = b.extents.back();
  a = broadcast_to(a, with(m, k));
  b = broadcast_to(b, with(k, n));
  tensor out = generate(with(m, n), [&](ints const& at) {
    ints left = at, right = at;
    double total = 0;
    for (std::int64_t i = 0; i < k; ++i) {
      left.back() = right[right.size() - 2] = i;
      total += a[left] * b[right];
    }
    return total;
  });
  if (column) out.extents.pop_back();
  if (row) out.extents.erase(out.extents.end() - (column ? 1 : 2));
  return out;
}

}  // namespace oracle
