// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

double digits::train_wide(options const& o, int seed, images_and_labels const& all) {
  return train(o, seed, all, [](auto const& mesh, random_stream* random) {
    return std::tuple{make_block<64, 512, 10>(mesh, random)};
  });
}
