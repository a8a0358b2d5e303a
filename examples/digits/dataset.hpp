// SPDX-License-Identifier: Apache-2.0
#pragma once
// The digits shuffled and split, and batches of a fixed size: the last one is padded with zero rows whose mask is 0.

#include "csv.hpp"
#include "random.hpp"

#include <algorithm>

namespace digits {

struct split {
  images_and_labels train, test;
};

// Shuffles by the stream and holds back the last quarter.
inline split shuffle_and_split(images_and_labels const& all, random_stream& random) {
  auto const order = shuffled(all.rows(), random);
  split parts;
  std::size_t const held_out = all.rows() / 4;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto& part = i + held_out < order.size() ? parts.train : parts.test;
    auto const* image = all.images.data() + order[i] * pixels;
    part.images.insert(part.images.end(), image, image + pixels);
    part.labels.push_back(all.labels[order[i]]);
  }
  return parts;
}

struct batch {
  std::vector<float> images;         // size x 64
  std::vector<std::int32_t> labels;  // size
  std::vector<float> mask;           // size: 1 for a real row, 0 for padding
};

// Rows order[first .. first + size) of `data`; rows beyond the end are padding.
inline batch make_batch(images_and_labels const& data, std::vector<std::size_t> const& order, std::size_t first,
                        std::size_t size) {
  batch b{std::vector<float>(size * pixels), std::vector<std::int32_t>(size), std::vector<float>(size)};
  for (std::size_t i = 0; i < size && first + i < order.size(); ++i) {
    std::size_t const row = order[first + i];
    std::copy_n(data.images.data() + row * pixels, pixels, b.images.data() + i * pixels);
    b.labels[i] = data.labels[row];
    b.mask[i] = 1;
  }
  return b;
}

}  // namespace digits
