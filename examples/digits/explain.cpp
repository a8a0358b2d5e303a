// SPDX-License-Identifier: Apache-2.0
// By itself: who trains does not wait for its compilation.

#include "train.hpp"

#include <fstream>
#include <stdexcept>

namespace {

using namespace digits;
struct first_parameters {
  constexpr auto operator()(auto key) const { return std::tuple{first_block<64, 128, 10>{}(key)}; }
};

// say: of the standard model's step, given the names of its arguments.
template <class Say>
std::string of_step(Say const& say) {
  return say(std::initializer_list<std::string_view>{"parameters", "state", "images", "labels", "mask", "rate"});
}

}  // namespace

void digits::explain_step(std::string const& file) {
  std::ofstream page(file);
  page << of_step([](auto names) {
    return ts::explain_html<train_step, parameters_of<first_parameters>, state_of<first_parameters>, image_batch,
                            label_batch, mask_batch, float>(names);
  });
  if (!page.flush()) throw std::runtime_error("--explain " + file + ": cannot be written.");
}

std::string digits::picture_of_step() {
  return of_step([](auto names) {
    return ts::explain_svg<train_step, parameters_of<first_parameters>, state_of<first_parameters>, image_batch,
                           label_batch, mask_batch, float>(names);
  });
}
