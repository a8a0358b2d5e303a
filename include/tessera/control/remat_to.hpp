// SPDX-License-Identifier: Apache-2.0
#pragma once
// remat_to<bytes>: a policy of checkpoint that keeps what spares the backward pass most work, in at most so many bytes on
// each device and in each call; in a loop in each turn. It records a gradient of the function to see what that reads, and
// takes values as long as they fit, the one first that spares most work for each of its bytes. Work is counted as two
// for each multiplication and addition of a product, one for each element elsewhere; values whose sizes are known
// when the program runs only are not kept. Source: the heuristic of Chen et al., Training Deep Nets with Sublinear Memory
// Cost (2016), with a measure of work. JAX has no such policy.

#include <tessera/control/checkpoint_policies.hpp>
#include <tessera/graph/clone.hpp>
#include <tessera/op/base/foundation.hpp>

namespace tessera {
namespace detail {

class rematerialization {
public:
  constexpr rematerialization(builder& b, int first, growable<int> const& outputs)
      : b_(b), first_(first), end_(b.size()) {
    for (int id = first_; id < end_; ++id) work_.push_back(work(id));
    saved_.resize(end_ - first_, false);
    find_read(outputs);
  }

  constexpr growable<int> within(std::int64_t budget) {
    growable<int> const all = values_to_choose(b_, first_);
    growable<int> chosen;
    for (std::int64_t now = left(); now > 0;) {
      int best = -1;
      double most = 0;
      std::int64_t after = now;
      for (int id : all) {
        std::int64_t const bytes = rule::block_bytes(b_.facts(id), b_.mesh());
        if (saved_[id - first_] || work_[id - first_] == 0 || bytes == 0 || bytes > budget) continue;
        saved_[id - first_] = true;
        std::int64_t const then = left();
        saved_[id - first_] = false;
        double const spared = static_cast<double>(now - then) / static_cast<double>(bytes);
        if (spared > most) most = spared, best = id, after = then;
      }
      if (best < 0) break;
      saved_[best - first_] = true;
      chosen.push_back(best);
      budget -= rule::block_bytes(b_.facts(best), b_.mesh());
      now = after;
    }
    return chosen;
  }

private:
  constexpr int operand(int id, int k) const { return b_.recorded.operands[b_.at(id).first_operand + k]; }
  constexpr std::int64_t elements(int id) const {
    std::int64_t const n = local_block(b_.facts(id), b_.mesh()).size();
    return n == dynamic ? 0 : n;
  }
  constexpr std::int64_t work(int id) const {
    node const& n = b_.at(id);
    switch (n.op->kind) {
      case op_class::dot: {
        std::int64_t each = 2;
        array_value const left = local_block(b_.facts(operand(id, 0)), b_.mesh());
        for (auto d : n.attrs.as<dot_params>().lhs_contracting) each *= left.extent(static_cast<int>(d));
        return each * elements(id);
      }
      case op_class::reduce: return elements(operand(id, 0));
      case op_class::elementwise:
      case op_class::gather:
      case op_class::scatter:
      case op_class::collective: return elements(id);
      case op_class::opaque: return 16 * elements(id);
      default: return 0;
    }
  }
  // The values that a backward pass reads.
  constexpr void find_read(growable<int> const& outputs) {
    graph_size const before = b_.recorded.size();
    refusal const kept = b_.refused;
    growable<int> outside;
    for (int id = first_; id < end_; ++id)
      for (int k = 0; k < b_.at(id).operand_count; ++k)
        if (int const x = operand(id, k); x < first_ && is_inexact(b_.facts(x).element)) outside.push_back(x);
    cloner seen(b_, first_);
    for (int id = first_; id < end_; ++id) seen.clone(id);
    int const cloned = b_.size();
    backward back(b_, first_, end_, outside.data(), static_cast<int>(outside.size()), &seen);
    for (int id : outputs)
      if (id >= first_ && is_inexact(b_.facts(id).element)) {
        int const given = b_.push(info<ops::argument>, nullptr, 0, {}, cotangent_facts(b_.facts(id)));
        back.seed(id, term{&b_, given});
      }
    back.walk(end_ - 1);
    growable<int> original;  // by the clone
    original.resize(cloned - end_, -1);
    for (int id = first_; id < end_; ++id) original[seen.at(id) - end_] = id;
    for (int id = cloned; id < b_.size(); ++id)
      for (int k = 0; k < b_.at(id).operand_count; ++k)
        if (int const x = operand(id, k); x >= end_ && x < cloned) read_.push_back(original[x - end_]);
    b_.take_back(before);
    b_.refused = kept;
  }
  // The work of computing what is read from what is saved and what is outside.
  constexpr std::int64_t left() const {
    growable<bool> wanted;
    wanted.resize(end_ - first_, false);
    for (int id : read_) wanted[id - first_] = true;
    std::int64_t sum = 0;
    for (int id = end_ - 1; id >= first_; --id) {
      if (!wanted[id - first_] || saved_[id - first_]) continue;
      sum += work_[id - first_];
      for (int k = 0; k < b_.at(id).operand_count; ++k)
        if (int const x = operand(id, k); x >= first_) wanted[x - first_] = true;
    }
    return sum;
  }

  builder& b_;
  int first_, end_;
  growable<std::int64_t> work_;
  growable<bool> saved_;
  growable<int> read_;
};

template <std::int64_t Bytes>
struct remat_policy {
  static constexpr growable<int> choose(builder& b, int first, growable<int> const& outputs) {
    return rematerialization(b, first, outputs).within(Bytes);
  }
};

}  // namespace detail

template <std::int64_t Bytes>
inline constexpr detail::remat_policy<Bytes> remat_to{};

}  // namespace tessera
