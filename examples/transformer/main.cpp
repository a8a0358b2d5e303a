// SPDX-License-Identifier: Apache-2.0
// Trains a GPT of two layers over a mesh of simulated devices to continue arithmetic sequences, 7 10 13 16 ...: prints what
// a step communicates, the loss as it falls, and how it continues a sequence. `--explain FILE.html` writes a page about a
// step, and trains no further.

#include "../one_speaks.hpp"
#include "model.hpp"

#include <tessera/data.hpp>
#include <tessera/tessera.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace transformer;

using parameters_type = unrolled_types<2>;

struct first_parameters {
  constexpr auto operator()(auto key) const { return nn::initialize(unrolled<2>, key); }
};

// What a file of tokens would have: sequences start, start + step, ... modulo the vocabulary, one token longer than a row.
std::string tokens_of(std::int64_t sequences, std::mt19937& random) {
  std::string bytes;
  for (std::int64_t i = 0; i < sequences; ++i) {
    auto const start = static_cast<std::int64_t>(random() % vocabulary),
               step = 1 + static_cast<std::int64_t>(random() % 7);
    for (std::int64_t t = 0; t <= length; ++t) {
      auto const token = static_cast<std::uint16_t>((start + t * step) % vocabulary);
      bytes += static_cast<char>(token & 255);
      bytes += static_cast<char>(token >> 8);
    }
  }
  return bytes;
}

// The likeliest next token after each.
struct predict {
  constexpr auto operator()(auto p, auto tokens) const { return ts::argmax<2>(logits{}(p, tokens)); }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--explain") {
    std::ofstream page(argv[2]);
    page << ts::explain_html<train_step, parameters_type, state_of<parameters_type>, token_ids, token_ids, float>(
        {"parameters", "state", "tokens", "next", "rate"});
    return page.flush() ? 0 : 1;
  }
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  std::mt19937 random(1);
  auto p = ts::jit<first_parameters>(ts::random::key(1));
  auto state = ts::jit<first_state>(p);

  std::cout << "one training step communicates\n"
            << ts::explain(ts::comm_of<train_step, decltype(p), decltype(state), token_ids, token_ids, float>) << '\n';
  constexpr int steps = 120, shown = 20;
  ts::token_file const text(ts::mapped_file::of_bytes("sequences", tokens_of((steps + 1) * batch, random)));
  ts::token_runs const runs{.length = length, .apart = length + 1, .vocabulary = vocabulary};
  ts::loader<token_ids, token_ids> batches(mesh, {.shuffle = false}, text.sequences(runs), text.next_tokens(runs));
  double sum = 0;
  for (int step = 1; step <= steps; ++step) {
    auto const [tokens, next] = batches.next();
    auto [updated, later, loss] = ts::jit<train_step>(std::move(p), std::move(state), tokens, next, 4e-3f);
    p = updated;
    state = later;
    sum += loss.item();
    if (step % shown == 0) {
      std::printf("steps %3d to %3d  loss %.3f\n", step - shown + 1, step, sum / shown);
      sum = 0;
    }
  }

  auto const [tokens, next] = batches.next();  // which it has not seen
  auto const predicted = ts::process_allgather(ts::jit<predict>(p, tokens));
  auto const wanted = ts::process_allgather(next);
  std::size_t right = 0, all = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i % length == 0) continue;  // one number alone does not determine the step
    ++all;
    right += predicted[i] == wanted[i];
  }
  std::printf("next tokens right: %.2f\n", static_cast<double>(right) / static_cast<double>(all));
}
