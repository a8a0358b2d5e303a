// SPDX-License-Identifier: Apache-2.0
// A GRU learns the characters of a short text and then writes 32 of its own: a scan over time, Adam with clipped
// gradients. The batch is split over dp; one all_reduce a step, of the gradients and the loss, goes over the mesh.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
constexpr std::int64_t batch = 32, length = 24, width = 64, repeats = 3;
constexpr std::string_view sentence =
    "the quick brown fox jumps over the lazy dog while the slow red hen sleeps under the old oak tree. ";
constexpr std::string_view letters = " .abcdefghijklmnopqrstuvwxyz";
constexpr std::int64_t vocabulary = letters.size();

TESSERA_TREE(parameters, x, h, b, out);

constexpr ts::train::adam optimizer;

constexpr auto init = [](auto key) {
  auto const [k1, k2, k3] = ts::random::split<3>(key);
  auto const p =
      parameters{.x = ts::train::glorot_uniform<float, vocabulary, 3 * width>(k1),  // a row for each character
                 .h = ts::train::glorot_uniform<float, width, 3 * width>(k2),
                 .b = ts::zeros<float, 3 * width>(),
                 .out = ts::train::glorot_uniform<float, width, vocabulary>(k3)};
  return std::tuple{p, optimizer.init(p)};
};

// One step in time: the next state, and the logits of the next character.
constexpr auto cell(auto p, auto h, auto x) {  // x: the row of p.x for a character
  auto const [x_r, x_z, x_n] = ts::split<3, -1>(x + p.b);
  auto const [h_r, h_z, h_n] = ts::split<3, -1>(ts::matmul(h, p.h));
  auto const z = ts::sigmoid(x_z + h_z);
  auto const n = ts::tanh(x_n + ts::sigmoid(x_r + h_r) * h_n);
  auto const next = (1 - z) * n + z * h;
  return std::tuple{next, ts::matmul(next, p.out)};
}

constexpr auto loss = [](auto p, auto tokens) {  // (batch, length + 1)
  auto const inputs = ts::slice_in_dim<1, 0, length>(tokens), targets = ts::slice_in_dim<1, 1, length + 1>(tokens);
  auto const h = ts::zeros<float, batch, width>(ts::out_sharding<ts::P<dp>, line>);
  auto const x = p.x.at(inputs.T()).get(ts::out_sharding<ts::P<ts::none, dp>>);
  auto const [last, logits] = ts::scan([&](auto h, auto x) { return cell(p, h, x); }, h, x);
  return -ts::mean(ts::sum<2>(ts::one_hot<vocabulary>(targets.T()) * ts::log_softmax(logits)));
};

constexpr auto step = [](auto p, auto state, auto text, auto key) {
  auto const start = ts::random::randint<std::int32_t, batch, 1>(key, 0, text.size() - length);
  auto const tokens = ts::reshard<ts::P<dp>, line>(text.at(start + ts::arange<length + 1>()).get());
  auto const [value, gradients] = ts::value_and_grad(loss)(p, tokens);
  auto const clipped = ts::train::clip_by_global_norm(gradients, 0.2);
  return std::tuple{optimizer.update(clipped, state, p, 0.01), value, ts::train::global_norm(gradients)};
};

constexpr auto sample = [](auto p, auto first, auto key) {
  auto const write = [&](auto carry, auto key) {
    auto const [h, last] = carry;
    auto const [next, logits] = cell(p, h, p.x.at(last).get());
    auto const token = ts::random::categorical(key, logits);
    return std::tuple{std::tuple{next, token}, token};
  };
  auto const start = std::tuple{ts::zeros<float, width>(), first};
  return std::get<1>(ts::scan(write, start, ts::random::split_batch<32>(key)));
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const here{ts::make_mesh<line>(ts::devices())};
  std::vector<std::int32_t> codes;
  for (int i = 0; i < repeats; ++i)
    for (char c : sentence) codes.push_back(static_cast<std::int32_t>(letters.find(c)));
  auto const text = ts::host<repeats * sentence.size()>(codes);
  auto [p, state] = ts::jit<ts::out_shardings<ts::P<>>, line>(init)(ts::random::key(0));
  constexpr auto const& sent =
      ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(text), decltype(ts::random::key(0))>;
  static_assert(sent.count() == 1);
  for (int i = 0; i <= 60; ++i) {
    auto const [next, value, norm] = ts::jit<step>(p, state, text, ts::random::key(100 + i));
    std::tie(p, state) = next;
    if (i % 20 == 0) std::printf("step %2d  loss %.3f  gradient %.2f\n", i, value.item(), norm.item());
  }
  auto const first = static_cast<std::int32_t>(letters.find('t'));
  std::string written = "t";
  for (auto token : ts::jit<sample>(p, first, ts::random::key(1)).to_host()) written += letters[token];
  std::printf("%s\n", written.c_str());
}
