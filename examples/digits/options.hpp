// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line of the digits example.

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace digits {

struct options {
  std::string data = DIGITS_CSV;
  std::string model = "standard";  // standard, wide or deep
  int epochs = 30;
  int seed = 1;
  int seeds = 1;  // trains this many times, from `seed` on, and prints the mean
  double learning_rate = 3e-3;
  bool pictures = true;
  bool exact = false;   // losses in hexadecimal, with all their bits
  std::string save;     // a folder that gets a checkpoint after each epoch, of which the last three stay
  std::string resume;   // such a folder, from whose last checkpoint training goes on
  std::string explain;  // a file that gets a page about one training step of the standard model
  std::string report;   // the loss of each step goes to <report>.csv, curves and the step's picture to <report>.html
};

constexpr char const* usage =
    "usage: digits [--data FILE] [--model standard|wide|deep] [--epochs N] [--learning-rate X]\n"
    "              [--seed N] [--seeds N] [--quiet] [--exact] [--explain FILE.html] [--report NAME]\n"
    "              [--save FOLDER] [--resume FOLDER]\n";

namespace detail {
template <class Number>
Number parse(std::string_view option, char const* text) {
  constexpr bool whole = std::numeric_limits<Number>::is_integer;
  Number value{};
  auto const [end, error] = std::from_chars(text, text + std::strlen(text), value);
  bool fits = error == std::errc{} && *end == '\0' && value > 0;
  if constexpr (!whole) fits = fits && std::isfinite(value);
  if (!fits)
    throw std::invalid_argument(std::string(option) + " " + text + ": not " +
                                (whole ? "a whole number from 1 to " + std::to_string(std::numeric_limits<int>::max())
                                       : "a positive, finite number") +
                                ".");
  return value;
}
}  // namespace detail

// Throws std::invalid_argument with what is wrong; --help prints the usage and exits.
inline options read_options(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    std::string_view const name = argv[i];
    if (name == "--help") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    if (name == "--quiet") {
      o.pictures = false;
      continue;
    }
    if (name == "--exact") {
      o.exact = true;
      continue;
    }
    auto const value = [&] {
      if (i + 1 == argc) throw std::invalid_argument(std::string(name) + ": its value is missing.");
      return argv[++i];
    };
    if (name == "--data")
      o.data = value();
    else if (name == "--explain")
      o.explain = value();
    else if (name == "--save")
      o.save = value();
    else if (name == "--resume")
      o.resume = value();
    else if (name == "--report")
      o.report = value();
    else if (name == "--model")
      o.model = value();
    else if (name == "--epochs")
      o.epochs = detail::parse<int>(name, value());
    else if (name == "--seed")
      o.seed = detail::parse<int>(name, value());
    else if (name == "--seeds")
      o.seeds = detail::parse<int>(name, value());
    else if (name == "--learning-rate")
      o.learning_rate = detail::parse<double>(name, value());
    else
      throw std::invalid_argument(std::string(name) + ": unknown option. --help lists them.");
  }
  if (o.model != "standard" && o.model != "wide" && o.model != "deep")
    throw std::invalid_argument("--model " + o.model + ": not one of standard, wide, deep.");
  if (o.seeds > std::numeric_limits<int>::max() - o.seed)
    throw std::invalid_argument("--seed " + std::to_string(o.seed) + " --seeds " + std::to_string(o.seeds) +
                                ": together they are too large.");
  if (o.seeds > 1 && !(o.save.empty() && o.resume.empty()))
    throw std::invalid_argument("--seeds: checkpoints are those of one training. Fix: --seed.");
  return o;
}

}  // namespace digits
