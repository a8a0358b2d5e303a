// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the training steps of benchmarks/models_benchmark.cpp share: (parameters, data...) -> (loss, parameters minus the rate
// times the gradient), its time, and its check.

#include "../support/cases.hpp"

#include <tuple>
#include <vector>

namespace cases {

// The numbers of a tree of arrays, one after the other.
std::vector<double> numbers_of(auto const& tree) {
  std::vector<double> all;
  ts::tree_each(
      [&](auto const& value) {
        auto const numbers = value.to_host();
        all.insert(all.end(), numbers.begin(), numbers.end());
      },
      tree);
  return all;
}

// Step of Loss: (p, data...) -> loss.
template <class Loss>
struct descend {
  constexpr auto operator()(auto p, auto... data) const {
    auto const [loss, slopes] = ts::value_and_grad(Loss{})(p, data...);
    return std::tuple{loss, ts::tree_map([](auto w, auto slope) { return w - Loss::rate * slope; }, p, slopes)};
  }
};

// Times the step from the parameters p. Check: a step lowers the loss by its rate times the square of the gradient, but for
// what is of second order.
template <class Loss>
void train(benchmark::State& state, std::string const& name, auto const& p, auto const&... data) {
  auto const call = [&](auto const& at) { return ts::jit<descend<Loss>>(at, data...); };
  measure(
      state, name, 0.1, [&] { ts::tree_each([](auto const& value) { value.block_until_ready(); }, call(p)); },
      [&] {
        auto const [before, moved] = call(p);
        auto const was = numbers_of(p), is = numbers_of(moved);
        double square = 0;
        for (std::size_t k = 0; k < was.size(); ++k) square += std::pow((was[k] - is[k]) / Loss::rate, 2);
        difference d;
        d.add(double(before.item()) - std::get<0>(call(moved)).item(), Loss::rate * square);
        return d.relative();
      });
}

// Classes of rows as one-hot rows: that of row k is k * Step % Classes.
inline std::vector<float> one_hot_rows(std::size_t rows, std::size_t classes, std::size_t step = 1) {
  std::vector<float> all(rows * classes);
  for (std::size_t k = 0; k < rows; ++k) all[k * classes + k * step % classes] = 1;
  return all;
}

}  // namespace cases
