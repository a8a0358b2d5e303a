// SPDX-License-Identifier: Apache-2.0
// The digits of examples/digits on a mesh, with a batch and a width that are known only when the program starts: one
// program, compiled once, trains on whatever mesh its command line names.
//   any_mesh --mesh 2x4 --batch 48 --hidden 96 --epochs 4

#ifndef DIGITS_CSV
#define DIGITS_CSV "examples/data/digits.csv"
#endif

#include "digits/dataset.hpp"
#include "digits/model.hpp"
#include "one_speaks.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <random>

namespace {

using namespace digits;

using any_grid = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;
using device_grid = ts::device_mesh<any_grid>;

struct sizes {
  std::int64_t dp = 4, mp = 2, batch = 64, hidden = 128;
  int epochs = 30;
};

sizes read_sizes(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  sizes s;
  if (auto const mesh = given["--mesh"]; !mesh.empty()) {
    auto const x = mesh.find('x');
    if (x == std::string::npos) throw std::invalid_argument("--mesh " + mesh + ": not as 4x2.");
    s.dp = std::stoll(mesh.substr(0, x));
    s.mp = std::stoll(mesh.substr(x + 1));
  }
  if (auto const n = given["--batch"]; !n.empty()) s.batch = std::stoll(n);
  if (auto const n = given["--hidden"]; !n.empty()) s.hidden = std::stoll(n);
  if (auto const n = given["--epochs"]; !n.empty()) s.epochs = std::stoi(n);
  return s;
}

// Types say the layout and the extents that the task fixes: 64 pixels, 10 digits. The width and the batch are `?`.
// Initializers need extents in types: random weights, uniform with variance 1 / inputs, come from the standard's engine.
auto make_parameters(sizes const& s, device_grid const& mesh) {
  std::mt19937 random(1);
  auto const weights = [&](std::int64_t inputs, std::int64_t outputs) {
    std::vector<float> values(static_cast<std::size_t>(inputs * outputs));
    double const bound = std::sqrt(3.0 / static_cast<double>(inputs));
    for (float& w : values) w = static_cast<float>(bound * (static_cast<double>(random()) * 0x1p-31 - 1));
    return values;
  };
  auto w1 = ts::device_put<ts::P<ts::none, mp>>(ts::host<64, ts::dynamic>(weights(64, s.hidden)), mesh);
  std::vector<float> const zeros(static_cast<std::size_t>(s.hidden));
  auto b1 = ts::device_put<ts::P<mp>>(ts::host<ts::dynamic>(zeros), mesh);
  auto w2 = ts::device_put<ts::P<mp, ts::none>>(ts::host<ts::dynamic, 10>(weights(s.hidden, 10)), mesh);
  auto b2 = ts::device_put<ts::P<ts::none>>(ts::host<10>(std::vector<float>(10)), mesh);
  return std::tuple{block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2}};
}

// Batches whose size is `?`, too.
using any_loader = ts::loader<ts::array_type<float, ts::shape<ts::dynamic, pixels>, ts::P<dp, ts::none>, any_grid>,
                              ts::array_type<std::int32_t, ts::shape<ts::dynamic>, ts::P<dp>, any_grid>,
                              ts::array_type<float, ts::shape<ts::dynamic>, ts::P<dp>, any_grid>>;

any_loader load(data_set const& data, ts::loader_options const& options, device_grid const& mesh) {
  return {mesh, options, data.images, data.labels, ts::row_mask{}};
}

double train(sizes const& s) {
  auto const mesh = ts::make_mesh<any_grid>(ts::devices(), {s.dp, s.mp});
  data_set const data(DIGITS_CSV);
  auto const [learned, held_back] = data.split(1);
  auto parameters = make_parameters(s, mesh);
  auto state = ts::jit<first_state>(parameters);
  std::cout << "mesh " << mesh << "\n\nparameters\n";
  ts::tree_each_with_path(
      [](std::string const& path, auto const& x) { std::cout << "  " << path << "  " << ts::typeof_(x) << '\n'; },
      parameters);

  auto batches = load(data, {.key = 1, .last = ts::last_batch::padded, .batch = s.batch, .rows = learned}, mesh);
  for (int epoch = 1; epoch <= s.epochs; ++epoch) {
    double sum = 0;
    for (auto const& [images, labels, mask] : batches.epoch()) {
      auto [updated, next, loss] = ts::jit<train_step>(parameters, state, images, labels, mask, 3e-3f);
      parameters = updated;
      state = next;
      sum += loss.item();
    }
    std::printf("epoch %2d  loss %.4f\n", epoch, sum / static_cast<double>(batches.batches()));
  }

  double correct = 0;
  auto tests = load(data, once_through(held_back, s.batch), mesh);
  for (auto const& [images, labels, mask] : tests.epoch())
    correct += ts::jit<count_correct>(parameters, images, labels, mask).item();
  return correct / static_cast<double>(tests.rows());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    auto const s = read_sizes(argc, argv);
    tessera::runtime runtime{argc, argv, static_cast<int>(s.dp * s.mp)};
    only_one_speaks();
    std::printf("test accuracy: %.3f\n", train(s));
  } catch (std::exception const& e) {
    std::fprintf(stderr, "any_mesh: %s\n", e.what());
    return 1;
  }
}
