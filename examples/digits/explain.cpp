// SPDX-License-Identifier: Apache-2.0
// By itself: who trains does not wait for its compilation.

#include "train.hpp"

#include <fstream>
#include <stdexcept>

namespace {

using namespace digits;
using parameters = std::tuple<decltype(make_block<64, 128, 10>(std::declval<ts::device_mesh<grid>>(), nullptr))>;
constexpr std::initializer_list<std::string_view> names = {"parameters", "first", "second", "images",
                                                           "labels",     "mask",  "rate",   "step"};

}  // namespace

void digits::explain_step(std::string const& file) {
  std::ofstream page(file);
  page << ts::explain_html<train_step, parameters, parameters, parameters, image_batch, label_batch, mask_batch, float,
                           float>(names);
  if (!page.flush()) throw std::runtime_error("--explain " + file + ": cannot be written.");
}

std::string digits::picture_of_step() {
  return ts::explain_svg<train_step, parameters, parameters, parameters, image_batch, label_batch, mask_batch, float,
                         float>(names);
}
