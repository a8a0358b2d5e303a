// SPDX-License-Identifier: Apache-2.0
// Trains a classifier of handwritten digits over a mesh of simulated devices, and prints what is known about it:
// types, a picture of a sharding, what a step communicates, the loss, and the accuracy on a held-out quarter.

#include "../one_speaks.hpp"
#include "options.hpp"
#include "train.hpp"

#include <exception>

int main(int argc, char** argv) {
  try {
    auto const o = digits::read_options(argc, argv);
    digits::data_set const data(o.data);
    tessera::runtime runtime{argc, argv};
    only_one_speaks();
    if (tessera::process_index() == 0 && !o.explain.empty()) digits::explain_step(o.explain);
    auto const train = o.model == "wide"   ? digits::train_wide
                       : o.model == "deep" ? digits::train_deep
                                           : digits::train_standard;
    double sum = 0;
    for (int seed = o.seed; seed < o.seed + o.seeds; ++seed) sum += train(o, seed, data);
    if (!o.report.empty())
      tessera::run_report("digits")
          .curves(o.report + ".csv")
          .picture("one training step", digits::picture_of_step())
          .write(o.report + ".html");
    std::printf("test accuracy: %.3f\n", sum / o.seeds);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
