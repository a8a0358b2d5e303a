// SPDX-License-Identifier: Apache-2.0
// Stands in for digits/wide.cpp, deep.cpp and explain.cpp where the digits are built on other meshes to train the standard model only.

#include "train.hpp"

double digits::train_wide(options const&, int, images_and_labels const&) {
  throw std::invalid_argument("--model wide: not in this build.");
}
double digits::train_deep(options const&, int, images_and_labels const&) {
  throw std::invalid_argument("--model deep: not in this build.");
}
void digits::explain_step(std::string const&) { throw std::invalid_argument("--explain: not in this build."); }
