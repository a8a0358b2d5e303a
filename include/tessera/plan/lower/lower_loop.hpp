// SPDX-License-Identifier: Apache-2.0
#pragma once
// A loop or branch as a local node: its regions are lowered by themselves, its operands are in memory, and it has one
// result for each result that is read.

#include <tessera/graph/loop.hpp>
#include <tessera/op/base/opaque.hpp>
#include <tessera/plan/lower/lowered_values.hpp>

namespace tessera::detail {

struct lowered_loop {
  int node = -1, made = -1;    // the global node, the first local node
  growable<int> position;      // by result: its position among the results that are computed; -1: it is not computed
  growable<accumulator> sums;  // carried values that are partial sums
};

template <class Lowerer>
class loop_lowerer {
public:
  constexpr loop_lowerer(Lowerer& around, int id)
      : r_(around), l_(around.l_), n_(around.g_.nodes[id]), id_(id), shape_(n_.attrs.as<loop_shape>()) {}

  constexpr int run() {
    find_results();
    int const first_region = static_cast<int>(l_.regions.size());
    regions();
    operands();
    for (captured_value const& x : outside_) operands_.push_back(captured(x));
    l_.here = n_.at;
    l_.cause = n_.op;
    l_.change.node = id_;
    int const made = emit();
    node& first = l_.local.nodes[made];
    first.first_region = first_region;
    first.region_count = n_.region_count;
    r_.loops_.push_back({id_, made, std::move(position_), std::move(sums_)});
    return made;
  }

private:
  constexpr graph_region const& body() const { return r_.g_.part(id_, shape_.body()); }

  // All carried values, and the other results that are read.
  constexpr void find_results() {
    position_.resize(body().output_count, -1);
    for (int k = 0; is_grid() && k < body().output_count; ++k) need(k);
    for (int k = 0; k < shape_.carried; ++k) need(k);
    for (int r = id_ + 1; r < r_.last_; ++r)
      if (r_.g_.nodes[r].op->kind == op_class::loop_result && r_.is_needed(r) && r_.g_.operand(r, 0) == id_)
        need(static_cast<int>(r_.g_.nodes[r].attrs.template as<result_params>().which));
    if (results_.empty() && body().output_count > 0) need(0);  // kept for its effects
  }
  constexpr bool is_grid() const { return shape_.kind == loop_kind::grid; }
  constexpr void need(int k) {
    int& at = position_[k];
    if (at >= 0) return;
    at = static_cast<int>(results_.size());
    results_.push_back(k);
  }

  // The facts of result k; for a carried value, those at the start of an iteration.
  constexpr array_value result(int k) const {
    array_value facts = result_slice(r_.g_, id_, k);
    if (is_grid()) facts.varying |= axes_of_batches(shape_);
    for (accumulator const& all : sums_)
      if (all.output == r_.g_.output(body(), k) && (k < shape_.carried || all.input < 0)) {
        facts.spec = all.layout.spec;
        facts.unreduced = all.layout.pending;
      }
    return facts;
  }

  // Carried values start as copies that the loop may overwrite. All operands have the layouts that the body reads.
  constexpr void operands() {
    for (int k = 0; k < shape_.first_capture(); ++k) {
      array_value facts = r_.facts(id_, k);
      if (k < shape_.carried) {
        array_value const begins = result(k);
        facts.spec = begins.spec;
        facts.unreduced = begins.unreduced;
      } else if (is_grid()) {
        facts.spec = {};
        for (int b = 0, d = 0; b < shape_.batches.size(); ++b)
          if (shape_.batches[b].maps(k)) facts.entry(d++) = shape_.batches[b].entry;
      } else if (k < shape_.carried + shape_.sliced) {
        facts.spec = {};
        array_value const& slice = r_.g_[r_.g_.input(body(), k)].facts;
        for (int d = 0; d < slice.rank; ++d) facts.entry(d + 1) = slice.entry(d);
      }
      bool const as_sums = !(facts.unreduced == r_.facts(id_, k).unreduced);
      int const x = as_sums ? reshard(l_, r_.terms(id_, k), r_.facts(id_, k), r_.layout(facts)).id
                            : r_.bring(id_, k, r_.layout(facts));
      operands_.push_back(k < shape_.carried ? l_.output_copy(x, r_.differs_over(facts)) : r_.declared(x, facts));
    }
  }
  constexpr void regions() {
    for (int r = 0; r < n_.region_count; ++r) {
      lowering inside = empty();
      while (!lowered(r, inside)) inside = empty();
      l_.regions.push_back(std::move(inside));
    }
  }
  constexpr lowering empty() const {
    lowering made(l_.mesh(), l_.shares(), l_.log());
    made.paths = l_.paths;
    return made;
  }
  // Lowers region r. False: it must be lowered again, because other carried values can be partial sums.
  constexpr bool lowered(int r, lowering& inside) {
    graph_region const& part = r_.g_.part(id_, r);
    growable<int> wanted;
    growable<array_value> as;
    if (shape_.kind == loop_kind::while_ && r == 0) {
      wanted.push_back(r_.g_.output(part, 0));
      as.push_back(r_.g_[wanted.back()].facts);
    } else {
      for (int k : results_) {
        wanted.push_back(r_.g_.output(part, k));
        as.push_back(result(k));
      }
    }
    if (shape_.kind != loop_kind::while_ && !is_grid()) inside.first_strided = shape_.carried;
    std::int64_t const turns = shape_.kind == loop_kind::scan ? shape_.length : 0;
    bool const checkpoint = shape_.kind == loop_kind::branch && n_.region_count == 1;
    Lowerer inner(r_, part, wanted, as, inside, repeats(shape_) || (checkpoint && r_.turns_));
    for (int k = 0; turns > 1 && k < shape_.carried; ++k)
      if (!tried_ || sum_of(r_.g_.output(part, k))) inner.carry(r_.g_.input(part, k), r_.g_.output(part, k));
    for (accumulator const& all : sums_) inner.begin_as_sum(all.input, all.layout);
    if (checkpoint) inner.leave_sums();
    inner.run();
    growable<accumulator> found;
    for (accumulator const& x : inner.accumulators())
      if (!tried_ || sum_of(x.output)->layout == x.layout) found.push_back(x);
    bool const others = turns > 1 && found.size() != sums_.size();
    sums_ = std::move(found);
    tried_ = true;
    if (others) return false;
    l_.captures.push_back(static_cast<int>(inner.captured().size()));
    for (captured_value const& x : inner.captured()) outside_.push_back(x);
    return true;
  }
  constexpr accumulator const* sum_of(int output) const {
    for (accumulator const& x : sums_)
      if (x.output == output) return &x;
    return nullptr;
  }
  constexpr int captured(captured_value const& x) {
    l_.here = x.at;
    l_.cause = x.cause;
    for (int k = shape_.first_capture(); k < n_.operand_count; ++k)
      if (r_.g_.operand(id_, k) == x.id) l_.change.operand = k;
    array_value facts = r_.g_.nodes[x.id].facts;
    facts.spec = x.layout.spec;
    for (captured_value const& other : outside_)
      if (other.id == x.id && !(other.layout == x.layout)) r_.local(x.id);  // finished once for both layouts
    return r_.declared(r_.brought(x.id, x.layout), facts);
  }
  // Of a kernel: with the elements of its batches that one device has.
  constexpr attributes own_attrs() const {
    if (!is_grid() || axes_of_batches(shape_).empty()) return n_.attrs;
    loop_shape own = shape_;
    for (int b = 0; b < own.batches.size(); ++b) {
      std::int64_t const devices = l_.mesh().devices(own.batches[b].entry.axes());
      own.batches[b].extent /= devices;
      own.length /= devices;
    }
    return own;
  }
  constexpr int emit() {
    int made = -1;
    std::size_t const count = is_grid() ? static_cast<std::size_t>(shape_.grid->outputs) : results_.size();
    for (std::size_t i = 0; i < count; ++i) {
      array_value global = result(results_[i]);
      if (is_grid()) global = whole_result(shape_, results_[i], global);
      array_value facts = r_.block(global);
      if (shape_.kind == loop_kind::scan && results_[i] >= shape_.carried) facts = with_dim(facts, 0, shape_.length);
      axis_set const over = r_.differs_over(global);
      if (i == 0) {
        made = l_.emit_declared(*n_.op, operands_.data(), static_cast<int>(operands_.size()), own_attrs(), facts, over);
        continue;
      }
      result_params const which{static_cast<std::int64_t>(i)};
      l_.emit_declared(planning_info<ops::opaque_part>, &made, 1, which, facts, over);
    }
    return made;
  }

  Lowerer& r_;
  lowering& l_;
  node const& n_;
  int id_;
  loop_shape shape_;
  growable<int> results_;  // the outputs of the body that are computed
  growable<int> position_, operands_;
  growable<captured_value> outside_;
  growable<accumulator> sums_;
  bool tried_ = false;  // the body was lowered before
};

}  // namespace tessera::detail
