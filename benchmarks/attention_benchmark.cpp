// SPDX-License-Identifier: Apache-2.0
// nightly
// W6: ring attention. The sequence is split over 8 devices; blocks of keys and values travel round the ring, each device
// keeps a running maximum and sum of its queries' scores.
// ctest: pass=fwd seq

#include "support/cases.hpp"

using namespace cases;

namespace {

constexpr int devices = 8;
constexpr std::size_t length = 2048, heads = 4, width = 64;

// [rows, heads, width] of a device -> the same.
struct attend {
  constexpr auto operator()(auto q, auto k, auto v) const {
    auto const none = ts::zeros_like(ts::transpose(ts::sum<2>(q)));  // [heads, rows]
    auto const begin = std::tuple{k, v, ts::full_like(none, -std::numeric_limits<float>::infinity()), none,
                                  ts::zeros_like(ts::transpose<1, 0, 2>(q))};
    auto const turned = ts::scan<devices>(
        [&](auto carry) {
          auto const& [k, v, largest, sum, out] = carry;
          auto const s = ts::einsum<"qhd,khd->hqk">(q, k) * 0.125f;
          auto const top = ts::maximum(largest, ts::max<2>(s));
          auto const fade = ts::exp(largest - top);
          auto const e = ts::exp(s - ts::expand_dims<2>(top));
          auto const more = ts::einsum<"hqk,khd->hqd">(e, v);
          return std::tuple{std::tuple{ts::ppermute<i>(k, ts::rotate<1>), ts::ppermute<i>(v, ts::rotate<1>), top,
                                       sum * fade + ts::sum<2>(e), out * ts::expand_dims<2>(fade) + more},
                            std::tuple{}};
        },
        begin);
    auto const& last = std::get<0>(turned);
    return ts::transpose<1, 0, 2>(std::get<4>(last) / ts::expand_dims<2>(std::get<3>(last)));
  }
};
struct forward {
  constexpr auto operator()(auto q, auto k, auto v) const {
    return ts::shard_map<ts::out_specs<ts::P<i>>>(attend{})(q, k, v);
  }
};
struct gradients {
  constexpr auto operator()(auto q, auto k, auto v, auto weight) const {
    return ts::grad<0, 1, 2>([](auto q, auto k, auto v, auto weight) { return ts::sum(forward{}(q, k, v) * weight); })(
        q, k, v, weight);
  }
};

// Element [row, head, d] of a host array.
float at(std::vector<float> const& x, std::size_t row, std::size_t head, std::size_t d) {
  return x[(row * heads + head) * width + d];
}

// Attention in double, by plain loops; the sums of exponentials of all rows once.
struct reference {
  std::vector<float> const &q, &k, &v;
  std::vector<double> sums;
  reference(std::vector<float> const& q_, std::vector<float> const& k_, std::vector<float> const& v_)
      : q(q_), k(k_), v(v_), sums(length * heads) {
    for (std::size_t r = 0; r < length; ++r)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t j = 0; j < length; ++j) sums[r * heads + h] += exponential(r, h, j);
  }
  double exponential(std::size_t r, std::size_t h, std::size_t j) const {
    double s = 0;
    for (std::size_t d = 0; d < width; ++d) s += double{at(q, r, h, d)} * at(k, j, h, d);
    return std::exp(s * 0.125);
  }
  double probability(std::size_t r, std::size_t h, std::size_t j) const {
    return exponential(r, h, j) / sums[r * heads + h];
  }
};

struct inputs {
  std::vector<float> const &q = noises(20, length*heads*width, 1.7f), &k = noises(21, length*heads*width, 1.7f),
                           &v = noises(22, length*heads*width, 1.7f), &weight = noises(23, length*heads*width, 1.7f);
  reference const& dense() const {
    static reference const made(q, k, v);
    return made;
  }
  static auto on_devices(std::vector<float> const& x) { return put<ts::P<i>, line<devices>, length, heads, width>(x); }
};

void once_forward(benchmark::State& state, std::string const& name) {
  inputs const in;
  auto const q = in.on_devices(in.q), k = in.on_devices(in.k), v = in.on_devices(in.v);
  measure(
      state, name, 1e-4, [&] { ts::jit<forward>(q, k, v).block_until_ready(); },
      [&] {
        auto const got = ts::jit<forward>(q, k, v).to_host();
        difference d;
        for (std::size_t r = 0; r < length; r += 211)
          for (std::size_t h = 0; h < heads; ++h) {
            double want[width]{};
            for (std::size_t j = 0; j < length; ++j) {
              double const p = in.dense().probability(r, h, j);
              for (std::size_t c = 0; c < width; ++c) want[c] += p * at(in.v, j, h, c);
            }
            for (std::size_t c = 0; c < width; ++c) d.add(got[(r * heads + h) * width + c], want[c]);
          }
        return d.relative();
      });
}
// Checked: the gradient by the values, which has a closed form.
void with_gradients(benchmark::State& state, std::string const& name) {
  inputs const in;
  auto const q = in.on_devices(in.q), k = in.on_devices(in.k), v = in.on_devices(in.v);
  auto const weight = in.on_devices(in.weight);
  measure(
      state, name, 1e-3, [&] { std::get<0>(ts::jit<gradients>(q, k, v, weight)).block_until_ready(); },
      [&] {
        auto const got = std::get<2>(ts::jit<gradients>(q, k, v, weight)).to_host();
        difference d;
        for (std::size_t j = 0; j < length; j += 211)
          for (std::size_t h = 0; h < heads; ++h) {
            double want[width]{};
            for (std::size_t r = 0; r < length; ++r) {
              double const p = in.dense().probability(r, h, j);
              for (std::size_t c = 0; c < width; ++c) want[c] += p * at(in.weight, r, h, c);
            }
            for (std::size_t c = 0; c < width; ++c) d.add(got[(j * heads + h) * width + c], want[c]);
          }
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, devices, [] {
    add("W6.ring_attention n=8 pass=fwd seq=2048", once_forward);
    add("W6.ring_attention n=8 pass=fwd+bwd seq=2048", with_gradients);
  });
}
