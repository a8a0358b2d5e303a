// SPDX-License-Identifier: Apache-2.0
// The digits of examples/digits on a mesh, with a batch and a width that are known only when the program starts: one
// program, compiled once, trains on whatever mesh its command line names.
//   any_mesh --mesh 2x4 --batch 48 --hidden 96 --epochs 4

#ifndef DIGITS_CSV
#define DIGITS_CSV "examples/data/digits.csv"
#endif

#include "digits/csv.hpp"
#include "digits/dataset.hpp"
#include "digits/model.hpp"
#include "one_speaks.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <map>

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
auto make_parameters(sizes const& s, device_grid const& mesh, random_stream* random) {
  auto const weights = [&](std::int64_t inputs, std::int64_t outputs) {
    auto const count = static_cast<std::size_t>(inputs * outputs);
    return random ? initial_weights(count, static_cast<std::size_t>(inputs), *random) : std::vector<float>(count);
  };
  auto w1 = ts::device_put<ts::P<ts::none, mp>>(ts::host<64, ts::dynamic>(weights(64, s.hidden)), mesh);
  std::vector<float> const zeros(static_cast<std::size_t>(s.hidden));
  auto b1 = ts::device_put<ts::P<mp>>(ts::host<ts::dynamic>(zeros), mesh);
  auto w2 = ts::device_put<ts::P<mp, ts::none>>(ts::host<ts::dynamic, 10>(weights(s.hidden, 10)), mesh);
  auto b2 = ts::device_put<ts::P<ts::none>>(ts::host<10>(std::vector<float>(10)), mesh);
  return std::tuple{block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2}};
}

auto put_batch(batch const& b, device_grid const& mesh) {
  return std::tuple{ts::device_put<ts::P<dp, ts::none>>(ts::host<ts::dynamic, 64>(b.images), mesh),
                    ts::device_put<ts::P<dp>>(ts::host<ts::dynamic>(b.labels), mesh),
                    ts::device_put<ts::P<dp>>(ts::host<ts::dynamic>(b.mask), mesh)};
}

double train(sizes const& s) {
  auto const mesh = ts::make_mesh<any_grid>(ts::devices(), {s.dp, s.mp});
  random_stream random(1);
  auto const data = shuffle_and_split(read_csv(DIGITS_CSV), random);
  auto parameters = make_parameters(s, mesh, &random);
  auto first = make_parameters(s, mesh, nullptr), second = make_parameters(s, mesh, nullptr);
  std::cout << "mesh " << mesh << "\n\nparameters\n";
  ts::tree_each_with_path(
      [](std::string const& path, auto const& x) { std::cout << "  " << path << "  " << ts::typeof_(x) << '\n'; },
      parameters);

  auto const rows = static_cast<std::size_t>(s.batch);
  float step = 0;
  for (int epoch = 1; epoch <= s.epochs; ++epoch) {
    auto const order = shuffled(data.train.rows(), random);
    std::size_t const steps = (order.size() + rows - 1) / rows;
    double sum = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      auto const [images, labels, mask] = put_batch(make_batch(data.train, order, i * rows, rows), mesh);
      step += 1;
      auto [p, m, v, loss] = ts::jit<train_step>(parameters, first, second, images, labels, mask, 3e-3f, step);
      parameters = p;
      first = m;
      second = v;
      sum += loss.item();
    }
    std::printf("epoch %2d  loss %.4f\n", epoch, sum / static_cast<double>(steps));
  }

  std::vector<std::size_t> order(data.test.rows());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  double correct = 0;
  for (std::size_t i = 0; i < order.size(); i += rows) {
    auto const [images, labels, mask] = put_batch(make_batch(data.test, order, i, rows), mesh);
    correct += ts::jit<count_correct>(parameters, images, labels, mask).item();
  }
  return correct / static_cast<double>(order.size());
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
