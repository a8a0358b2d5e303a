// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers that are the same on every compiler: the standard's engines are, its distributions are not.

#include <cmath>
#include <cstdint>
#include <vector>

namespace digits {

// splitmix64 (Steele, Lea, Flood 2014): the n-th number is mixed(start + n * step). The start is itself mixed from the
// seed, since streams that start a step apart would be one stream.
class random_stream {
public:
  explicit random_stream(std::uint64_t seed) : state_(mixed(seed)) {}
  std::uint64_t bits() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)

private:
  static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// Weights of a layer with `inputs` inputs: uniform with variance 1 / inputs.
inline std::vector<float> initial_weights(std::size_t count, std::size_t inputs, random_stream& random) {
  double const bound = std::sqrt(3.0 / static_cast<double>(inputs));
  std::vector<float> weights(count);
  for (float& w : weights) w = static_cast<float>(bound * (2 * random.uniform() - 1));
  return weights;
}

}  // namespace digits
