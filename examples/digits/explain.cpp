// SPDX-License-Identifier: Apache-2.0
// By itself: who trains does not wait for its compilation.

#include "train.hpp"

#include <fstream>

void digits::explain_step(std::string const& file) {
  using parameters = std::tuple<decltype(make_block<64, 128, 10>(std::declval<ts::device_mesh<grid>>(), nullptr))>;
  std::ofstream page(file);
  page << ts::explain_html<train_step, parameters, parameters, parameters, decltype(device_batch::images),
                           decltype(device_batch::labels), decltype(device_batch::mask), float, float>(
      {"parameters", "first", "second", "images", "labels", "mask", "rate", "step"});
  if (!page.flush()) throw std::runtime_error("--explain " + file + ": cannot be written.");
}
