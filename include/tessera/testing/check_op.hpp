// SPDX-License-Identifier: Apache-2.0
#pragma once
// A test of an operation, one's own or Tessera's: on small meshes, for every layout of its operands, the rule refuses or
// the result equals that of a plain function on whole arrays; gradients equal central differences.
//   auto const report = testing::check_op<my_op>({.inputs = {{dtype::float64, {4, 6}}}, .dense = plain});
//   EXPECT_TRUE(report) << report.text;

#include <tessera/testing/dense_array.hpp>

#include <tessera/graph/backward.hpp>
#include <tessera/op/exponential.hpp>
#include <tessera/op/reduce.hpp>

namespace tessera::testing {

struct input {
  dtype element = dtype::float64;
  std::vector<std::int64_t> extents{};
  double low = -1, high = 1;  // values without pattern between these
};

struct op_test {
  std::vector<input> inputs{};
  attributes attrs{};
  std::function<dense_array(std::vector<dense_array> const&)> dense{};
  bool gradient = true;  // of operands that are floating; take float64
  double tolerance = 0;  // relative to the largest value; 0: what the element type allows
};

struct report {
  int layouts = 0;    // tried
  int refused = 0;    // by the rule
  int ran = 0;        // and agreed
  int gradients = 0;  // and agreed
  std::string text;   // what went wrong first; empty when all is well
  explicit operator bool() const { return text.empty() && ran > 0; }
};

namespace detail {

using tessera::detail::run_time_program;

// sum(sin(1.3 y + 0.4)): every element of y has a cotangent of its own.
inline double loss_of(dense_array const& y) {
  double sum = 0;
  for (double v : y.values) sum += std::sin(1.3 * v + 0.4);
  return sum;
}

template <class Op>
class op_checker {
public:
  explicit op_checker(op_test const& test) : test_(test) {
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      auto const& in = test.inputs[i];
      values_.push_back(rounded(scattered(in.extents, in.low, in.high, i + 1), in.element));
    }
    want_ = test.dense(values_);
    all_floating_ = test.gradient;
    for (auto const& in : test.inputs) all_floating_ = all_floating_ && in.element == dtype::float64;
    if (all_floating_) slopes_ = numerical_gradients();
  }

  report run() {
    for (auto const& mesh : {small_mesh(2, 2), small_mesh(2, 3)}) {
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
    if (i == facts.size()) return one(mesh, facts);
    each_spec(plain(i), mesh, [&](array_value const& laid) {
      facts[i] = laid;
      each_layout(mesh, facts, i + 1);
    });
  }

  void one(mesh_value const& mesh, std::vector<array_value> const& facts) {
    ++report_.layouts;
    builder b;
    b.recorded.mesh = mesh;
    std::vector<term> x;
    for (auto const& f : facts) x.push_back(b.argument(info<ops::argument>, f));
    int const start = b.size();
    term const y = b.make<Op>(x.data(), static_cast<int>(x.size()), test_.attrs);
    if (!y) {
      ++report_.refused;
      bool whole = true;
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
    if (all_floating_ && is_floating(made.element)) gradients(mesh, facts, b, start, y, stored);
  }

  void gradients(mesh_value const& mesh, std::vector<array_value> const& facts, builder& b, int start, term y,
                 std::vector<stored_array> const& stored) {
    term const turned = b.make<ops::add>({b.make<ops::multiply>({y, number(b, 1.3)}), number(b, 0.4)});
    attributes over;
    for (int d = 0; d < turned.facts().rank; ++d) over.first.push_back(d);
    term loss = b.make<ops::sin>({turned});
    if (!over.first.empty()) loss = b.make<ops::reduce_sum>({loss}, over);
    std::vector<int> wanted;
    for (int i = 0; i < start; ++i) wanted.push_back(i);
    backward back(b, start, wanted.data(), start);
    back.run(loss.id, number(b, 1.0, dtype::float64));
    if (b.refused.what.why != reason::none)
      return complain(mesh, facts, "the transpose is refused: " + explain(b.refused, mesh));
    std::vector<std::size_t> given;
    growable_graph graph = b.recorded;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      int const id = back.cotangent(static_cast<int>(i));
      if (id < 0) {
        if (difference(slopes_[i], dense_array{slopes_[i].extents, std::vector<double>(slopes_[i].values.size())}) >
            1e-6)
          return complain(mesh, facts, "no cotangent for operand " + std::to_string(i));
        continue;
      }
      if (!b.facts(id).same_spec(facts[i]) || b.facts(id).element != facts[i].element)
        return complain(mesh, facts, "the cotangent of operand " + std::to_string(i) + " is not of its type");
      given.push_back(i);
      graph.outputs.push_back(id);
    }
    if (given.empty()) return;
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

  std::vector<dense_array> numerical_gradients() const {
    std::vector<dense_array> slopes;
    auto moved = values_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      dense_array slope{values_[i].extents, std::vector<double>(values_[i].values.size())};
      for (std::size_t e = 0; e < slope.values.size(); ++e) {
        double const at = values_[i].values[e], h = 1e-5;
        moved[i].values[e] = at + h;
        double const above = loss_of(test_.dense(moved));
        moved[i].values[e] = at - h;
        slope.values[e] = (above - loss_of(test_.dense(moved))) / (2 * h);
        moved[i].values[e] = at;
      }
      slopes.push_back(slope);
    }
    return slopes;
  }

  double allowed(dtype element) const {
    if (test_.tolerance > 0) return test_.tolerance;
    switch (element) {
      case dtype::float16: return 1.0 / 256;
      case dtype::bfloat16: return 1.0 / 32;
      case dtype::float32: return 1e-5;
      case dtype::float64: return 1e-12;
      default: return 0;
    }
  }
  void complain(mesh_value const& mesh, std::vector<array_value> const& facts, std::string const& what) {
    report_.text = std::string(info<Op>.name) + "(";
    for (auto const& f : facts) report_.text += (&f == &facts[0] ? "" : ", ") + describe(f, mesh);
    report_.text += "): " + what;
  }

  op_test const& test_;
  std::vector<dense_array> values_, slopes_;
  dense_array want_;
  bool all_floating_ = false;
  report report_;
};

}  // namespace detail

template <class Op>
report check_op(op_test const& test) {
  return detail::op_checker<Op>(test).run();
}

}  // namespace tessera::testing
