// SPDX-License-Identifier: Apache-2.0
// Stands in for digits/wide.cpp, deep.cpp and explain.cpp where the digits are built on other meshes to train the standard model only.

#include "train.hpp"

#include <stdexcept>

double digits::train_wide(options const&, int, data_set const&) {
  throw std::invalid_argument("--model wide: not in this build.");
}
double digits::train_deep(options const&, int, data_set const&) {
  throw std::invalid_argument("--model deep: not in this build.");
}
void digits::explain_step(std::string const&) { throw std::invalid_argument("--explain: not in this build."); }
std::string digits::picture_of_step() { throw std::invalid_argument("--report: not in this build."); }
