// SPDX-License-Identifier: Apache-2.0
#pragma once
// A test of an operation, one's own or Tessera's: on small meshes, for every layout of its operands, the rule refuses or
// the result equals that of a plain function on whole arrays; gradients equal central differences; and for a batch of
// each operand alone and of all of them, vmap's results and gradients are those of one element after the other.
//   auto const report = testing::check_op<my_op>({.inputs = {{dtype::float64, {4, 6}}}, .dense = plain});
//   EXPECT_TRUE(report) << report.text;

#include <tessera/testing/dense_array.hpp>

#include <tessera/error/explain_text.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/trigonometric.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/transform/batch.hpp>

#include <algorithm>
#include <functional>

namespace tessera::testing {

struct input {
  dtype element = dtype::float64;
  std::vector<std::int64_t> extents{};
  double low = -1, high = 1;     // values without pattern between these,
  std::vector<double> values{};  // or these, row-major
};

struct mesh_sizes {
  std::int64_t a = 2, b = 2;
};

struct op_test {
  std::vector<input> inputs{};
  attributes attrs{};
  std::function<dense_array(std::vector<dense_array> const&)> dense{};
  std::function<dense_array(std::vector<dense_array> const&)> slope{};  // of which gradients are, where not of `dense`
  bool gradient = true;                                                 // with respect to the float64 operands,
  double tolerance = 0;          // relative to the largest value; 0: what the element type allows
  std::vector<int> constants{};  // but for these
  std::vector<mesh_sizes> meshes{{2, 2}, {2, 3}};
  bool out_sharding = false;  // the result, too, in every layout: for operations that read attrs.out
  bool uneven = false;        // of axes that may split what they do not divide
  bool batches = true;        // under vmap, too
};

struct report {
  int layouts = 0;    // tried
  int refused = 0;    // by the rule
  int ran = 0;        // and agreed
  int gradients = 0;  // and agreed
  int batches = 0;    // and agreed
  int unmapped = 0;   // batches for which vmap has no rule
  int flat = 0;       // ran, and has none: no operand or the result is not of real numbers
  std::string text;   // what went wrong first; empty when all is well
  explicit operator bool() const { return text.empty() && ran > 0; }
  report& operator+=(report const& more) {
    layouts += more.layouts;
    refused += more.refused;
    ran += more.ran;
    gradients += more.gradients;
    batches += more.batches;
    unmapped += more.unmapped;
    flat += more.flat;
    if (text.empty()) text = more.text;
    return *this;
  }
};

// One operation, put into a program.
using maker = term (*)(builder&, term const*, int, attributes const&);

namespace detail {

using tessera::detail::run_time_program;

// sum(sin(1.3 y + 0.4)): every element of y has a cotangent of its own.
inline double loss_of(dense_array const& y) {
  double sum = 0;
  for (double v : y.values) sum += std::sin(1.3 * v + 0.4);
  return sum;
}

class op_checker {
public:
  op_checker(std::string_view name, maker make, op_test const& test) : name_(name), make_(make), test_(test) {
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      auto const& in = test.inputs[i];
      dense_array const x =
          in.values.empty() ? scattered(in.extents, in.low, in.high, i + 1) : dense_array{in.extents, in.values};
      values_.push_back(rounded(x, in.element));
      bool const constant = std::count(test.constants.begin(), test.constants.end(), static_cast<int>(i)) > 0;
      if (test.gradient && !constant && in.element == dtype::float64) wanted_.push_back(static_cast<int>(i));
    }
    want_ = test.dense(values_);
    if (!wanted_.empty()) numerical_gradients();
  }

  report run() {
    for (auto const& sizes : test_.meshes) {
      auto mesh = small_mesh(sizes.a, sizes.b);
      if (test_.uneven) mesh.uneven = mesh.axes();
      std::vector<array_value> facts(test_.inputs.size());
      each_layout(mesh, facts, 0);
    }
    return report_;
  }

private:
  array_value plain(std::size_t i) const {
    array_value facts;
    facts.element = test_.inputs[i].element;
    for (auto extent : test_.inputs[i].extents) facts.add_dim(extent);
    return facts;
  }
  void each_layout(mesh_value const& mesh, std::vector<array_value>& facts, std::size_t i) {
    if (!report_.text.empty()) return;
    if (i == facts.size() && !test_.out_sharding) return one(mesh, facts, test_.attrs);
    if (i == facts.size()) {
      array_value result;
      for (auto extent : want_.extents) result.add_dim(extent);
      return each_spec(result, mesh, [&](array_value const& laid) {
        attributes attrs = test_.attrs;
        attrs.has_out = true;
        attrs.out = layout_of(laid);
        asked_ = " to " + describe(laid, mesh);
        if (report_.text.empty()) one(mesh, facts, attrs);
      });
    }
    each_spec(plain(i), mesh, [&](array_value const& laid) {
      facts[i] = laid;
      each_layout(mesh, facts, i + 1);
    });
  }

  void one(mesh_value const& mesh, std::vector<array_value> const& facts, attributes const& attrs) {
    try {
      judge_and_run(mesh, facts, attrs);
    } catch (std::logic_error const& error) {
      complain(mesh, facts, error.what());
    }
  }
  void judge_and_run(mesh_value const& mesh, std::vector<array_value> const& facts, attributes const& attrs) {
    ++report_.layouts;
    builder b;
    b.recorded.mesh = mesh;
    std::vector<term> x;
    for (auto const& f : facts) x.push_back(b.argument(info<ops::argument>, f));
    int const start = b.size();
    term const y = make_(b, x.data(), static_cast<int>(x.size()), attrs);
    if (!y) {
      ++report_.refused;
      if (b.refused.what) return complain(mesh, facts, "refused without a reason");
      bool whole = !attrs.has_out || attrs.out == spec_value{attrs.out.rank};
      for (auto const& f : facts) whole = whole && f.sharded_axes().empty();
      if (whole) complain(mesh, facts, "refused, though nothing is sharded");
      return;
    }
    if (!rule::lawful(y.facts(), mesh)) return complain(mesh, facts, "a result whose layout is not lawful");
    array_value const made = y.facts();
    std::vector<stored_array> stored;
    for (std::size_t i = 0; i < facts.size(); ++i) stored.push_back(place(values_[i], facts[i], mesh));
    for (bool const share : {true, false}) {
      growable_graph graph = b.recorded;
      graph.outputs.push_back(y.id);
      auto const got =
          share ? whole(run_time_program(graph).program(stored)[0], mesh) : whole_unshared(graph, stored, made, mesh);
      double const apart = difference(got, rounded(want_, made.element));
      if (!(apart <= allowed(made.element)))
        return complain(mesh, facts,
                        std::string(share ? "" : "run with nothing shared, ") + "the result is " + text_of(got) +
                            ", want " + text_of(want_));
    }
    ++report_.ran;
    bool real = false;
    for (auto const& in : test_.inputs) real = real || is_inexact(in.element);
    report_.flat += !real || !is_inexact(made.element);
    if (attrs.has_out && test_.out_sharding)
      for (int d = 0; d < made.rank; ++d)
        if (!(made.entry(d) == attrs.out[d])) return complain(mesh, facts, "not the layout that was asked for");
    if (!wanted_.empty() && is_floating(made.element)) gradients(mesh, facts, b, start, y, stored);
    bool const first = mesh.size(0) == test_.meshes[0].a && mesh.size(1) == test_.meshes[0].b;
    bool const chosen = first && report_.ran % 7 == 1;  // the first and every seventh layout that was accepted
    if (test_.batches && chosen && !test_.uneven && report_.text.empty()) batches(mesh, facts, attrs);
  }

  // Batches of each operand alone, and of all of them.
  void batches(mesh_value const& mesh, std::vector<array_value> const& facts, attributes const& attrs) {
    auto const n = static_cast<int>(facts.size());
    for (auto const& f : facts)
      if (f.rank == max_rank) return;
    for (int only = n == 1 ? 0 : -1; only < n && report_.text.empty(); ++only) batch(mesh, facts, attrs, only);
    ++report_.batches;
  }
  static constexpr std::int64_t batch_size = 3;
  // Operand i of element k of a batch. Given values may have a pattern; all elements have them.
  dense_array element(std::size_t i, std::int64_t k) const {
    auto const& in = test_.inputs[i];
    if (k == 0 || !in.values.empty()) return values_[i];
    return rounded(scattered(in.extents, in.low, in.high, i + 1 + 10 * static_cast<std::size_t>(k)), in.element);
  }
  // y and the cotangents that it has for operands x; -1 where there is none.
  std::vector<int> recorded(builder& b, std::vector<term> const& x, attributes const& attrs) {
    int const start = b.size();
    term const y = make_(b, x.data(), static_cast<int>(x.size()), attrs);
    std::vector<int> results{y.id};
    if (!y || wanted_.empty() || !is_floating(y.facts().element)) return results;
    std::vector<int> by;
    for (int const operand : wanted_) by.push_back(x[operand].id);
    for (int const id : cotangents(b, start, by, y)) results.push_back(id);
    return results;
  }
  // The cotangents of nodes `by` for loss_of(y), -1 where there is none; start: the first node behind the operands.
  static std::vector<int> cotangents(builder& b, int start, std::vector<int> const& by, term y) {
    term const turned = b.make<ops::add>({b.make<ops::multiply>({y, number(b, 1.3)}), number(b, 0.4)});
    reduce_params over;
    for (int d = 0; d < turned.facts().rank; ++d) over.dims.push_back(d);
    term loss = b.make<ops::sin>({turned});
    if (!over.dims.empty()) loss = b.make<ops::reduce_sum>({loss}, over);
    backward back(b, start, by.data(), static_cast<int>(by.size()));
    back.run(loss.id, number(b, 1.0, dtype::float64));
    std::vector<int> found;
    for (int const id : by) found.push_back(back.cotangent(id));
    return found;
  }
  // only < 0: of all operands.
  void batch(mesh_value const& mesh, std::vector<array_value> const& facts, attributes const& attrs, int only) {
    auto const mapped = [&](std::size_t i) { return only < 0 || static_cast<int>(i) == only; };
    std::string const which = only < 0 ? "a batch of all operands" : "a batch of operand " + std::to_string(only);
    builder b;
    b.recorded.mesh = mesh;
    std::vector<stored_array> stored;
    std::vector<term> outer, inner;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      array_value wide = facts[i];
      dense_array values = values_[i];
      if (mapped(i)) {
        wide = array_value{};
        wide.element = facts[i].element;
        wide.add_dim(batch_size);
        for (int d = 0; d < facts[i].rank; ++d) wide.add_dim(facts[i].extent(d), facts[i].entry(d));
        values.extents.insert(values.extents.begin(), batch_size);
        values.values.clear();
        for (std::int64_t k = 0; k < batch_size; ++k)
          for (double v : element(i, k).values) values.values.push_back(v);
      }
      outer.push_back(b.argument(info<ops::argument>, wide));
      stored.push_back(place(values, wide, mesh));
    }
    graph_size const before = b.recorded.size();
    for (std::size_t i = 0; i < facts.size(); ++i)
      inner.push_back(mapped(i) ? term{&b, b.push(info<ops::argument>, nullptr, 0, {}, facts[i])} : outer[i]);
    std::vector<int> const results = recorded(b, inner, attrs);
    if (b.refused.what.why == reason::none) {
      batching made(b, before, -1, batch_size, entry_value{});
      for (std::size_t i = 0; i < facts.size(); ++i)
        if (mapped(i)) made.enter(inner[i].id, outer[i].id, 0);
      made.run();
      for (int const id : results)
        if (id >= 0 && b.refused.what.why == reason::none) b.recorded.outputs.push_back(made.leave(id, 0).id);
    }
    if (b.refused.what.why == reason::not_mappable) {
      ++report_.unmapped;
      return;
    }
    if (b.refused.what.why != reason::none)
      return complain(mesh, facts, which + " is refused: " + explain(b.refused, mesh));
    auto const got = run_time_program(b.recorded).program(stored);
    for (std::int64_t k = 0; k < batch_size; ++k) {
      builder one;
      one.recorded.mesh = mesh;
      std::vector<term> x;
      std::vector<stored_array> given;
      for (std::size_t i = 0; i < facts.size(); ++i) {
        x.push_back(one.argument(info<ops::argument>, facts[i]));
        given.push_back(place(mapped(i) ? element(i, k) : values_[i], facts[i], mesh));
      }
      for (int const id : recorded(one, x, attrs))
        if (id >= 0) one.recorded.outputs.push_back(id);
      if (one.recorded.outputs.size() != b.recorded.outputs.size())
        return complain(mesh, facts, which + " has other cotangents");
      auto const want = run_time_program(one.recorded).program(given);
      for (std::size_t r = 0; r < want.size(); ++r) {
        dense_array const all = whole(got[r], mesh), single = whole(want[r], mesh);
        auto const size = static_cast<std::ptrdiff_t>(single.values.size());
        dense_array const part{single.extents, {all.values.begin() + k * size, all.values.begin() + (k + 1) * size}};
        if (!(difference(part, single) <= std::max(1e-9, 4 * allowed(want[r].facts.element))))
          return complain(mesh, facts,
                          which + ": " + (r == 0 ? "the result" : "a cotangent") + " of element " + std::to_string(k) +
                              " is " + text_of(part) + ", alone " + text_of(single));
      }
    }
  }

  void gradients(mesh_value const& mesh, std::vector<array_value> const& facts, builder& b, int start, term y,
                 std::vector<stored_array> const& stored) {
    std::vector<int> const found = cotangents(b, start, wanted_, y);  // the operands are the first nodes
    if (b.refused.what.why != reason::none)
      return complain(mesh, facts, "the transpose is refused: " + explain(b.refused, mesh));
    std::vector<std::size_t> given;
    growable_graph graph = b.recorded;
    for (std::size_t k = 0; k < wanted_.size(); ++k) {
      int const operand = wanted_[k], id = found[k];
      if (id < 0) {
        if (difference(slopes_[operand], dense_array{slopes_[operand].extents,
                                                     std::vector<double>(slopes_[operand].values.size())}) > 1e-6)
          return complain(mesh, facts, "no cotangent for operand " + std::to_string(operand));
        continue;
      }
      if (!b.facts(id).same_spec(facts[operand]) || b.facts(id).element != facts[operand].element)
        return complain(mesh, facts, "the cotangent of operand " + std::to_string(operand) + " is not of its type");
      given.push_back(operand);
      graph.outputs.push_back(id);
    }
    if (given.empty()) {
      ++report_.gradients;
      return;
    }
    auto const results = run_time_program(graph).program(stored);
    for (std::size_t k = 0; k < given.size(); ++k) {
      auto const got = whole(results[k], mesh);
      if (!(difference(got, slopes_[given[k]]) <= 1e-5))
        return complain(mesh, facts,
                        "the cotangent of operand " + std::to_string(given[k]) + " is " + text_of(got) +
                            ", central differences say " + text_of(slopes_[given[k]]));
    }
    ++report_.gradients;
  }

  void numerical_gradients() {
    auto const& function = test_.slope ? test_.slope : test_.dense;
    auto moved = values_;
    slopes_.resize(values_.size());
    for (int const operand : wanted_) {
      dense_array slope{values_[operand].extents, std::vector<double>(values_[operand].values.size())};
      for (std::size_t e = 0; e < slope.values.size(); ++e) {
        double const at = values_[operand].values[e], h = 1e-5;
        moved[operand].values[e] = at + h;
        double const above = loss_of(function(moved));
        moved[operand].values[e] = at - h;
        slope.values[e] = (above - loss_of(function(moved))) / (2 * h);
        moved[operand].values[e] = at;
      }
      slopes_[operand] = slope;
    }
  }

  double allowed(dtype element) const {
    if (test_.tolerance > 0) return test_.tolerance;
    switch (element) {
      case dtype::float8_e4m3fn: return 1.0 / 4;
      case dtype::float8_e5m2: return 1.0 / 2;
      case dtype::float16: return 1.0 / 256;
      case dtype::bfloat16: return 1.0 / 32;
      case dtype::float32: return 1e-5;
      case dtype::float64: return 1e-12;
      default: return 0;
    }
  }
  void complain(mesh_value const& mesh, std::vector<array_value> const& facts, std::string const& what) {
    report_.text = std::string(name_) + "(";
    for (auto const& f : facts) report_.text += (&f == &facts[0] ? "" : ", ") + describe(f, mesh);
    report_.text += ")" + asked_ + ": " + what;
  }

  std::string_view name_;
  maker make_;
  op_test const& test_;
  std::vector<int> wanted_;  // operands that have a gradient
  std::vector<dense_array> values_, slopes_;
  dense_array want_;
  std::string asked_;  // the layout of the result
  report report_;
};

}  // namespace detail

inline report check_op(std::string_view name, maker make, op_test const& test) {
  return detail::op_checker(name, make, test).run();
}
template <class Op>
report check_op(op_test const& test) {
  return check_op(
      info<Op>.name,
      +[](builder& b, term const* x, int count, attributes const& attrs) { return b.make<Op>(x, count, attrs); }, test);
}

}  // namespace tessera::testing

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
