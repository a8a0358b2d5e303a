// SPDX-License-Identifier: Apache-2.0
// Optimizers, schedules and what is done with gradients, on split trees, against the formulas of their papers in plain loops;
// initializers and dropout by what they must be.

#include <tessera/train/train.hpp>

#include "support/on_grid.hpp"

#include <functional>

namespace {

using namespace on_grid;
namespace tr = ts::train;

template <class W, class B>
struct layer {
  W w;
  B b;
  static constexpr ts::names<2> names{"w", "b"};
};
template <class W, class B>
layer(W, B) -> layer<W, B>;

auto tree(double scale) { return layer{put<ts::P<dp, mp>, 8, 4>(scale), put<ts::P<mp>, 4>(scale + 1)}; }

// Three steps with gradients that change.
template <class Optimizer>
struct three_steps {
  constexpr auto operator()(auto p, auto g, auto rate) const {
    constexpr Optimizer optimizer{};
    auto const twice = [](auto const& x) { return x * 2.0 - 0.1; };
    auto [p1, s1] = optimizer.update(g, optimizer.init(p), p, rate);
    auto [p2, s2] = optimizer.update(ts::tree_map(twice, g), s1, p1, rate);
    auto [p3, s3] = optimizer.update(g, s2, p2, rate);
    return p3;
  }
};
// One number of it: step(p, g) -> p.
template <class Optimizer>
void follows(std::function<double(double, double)> (*make)()) {
  auto const p = tree(0.5), g = tree(0.3);
  auto const got = run<three_steps<Optimizer>>(p, g, 0.1);
  static_assert(std::is_same_v<typename decltype(got.w)::type, typename decltype(p.w)::type>);
  auto const compare = [&](auto const& x, std::vector<double> const& p0, std::vector<double> const& g0) {
    std::vector<double> want;
    for (std::size_t i = 0; i < p0.size(); ++i) {
      auto const step = make();
      double v = step(p0[i], g0[i]);
      v = step(v, g0[i] * 2 - 0.1);
      want.push_back(step(v, g0[i]));
    }
    expect(x, want, 1e-14);
  };
  compare(got.w, wave(32, 0.5), wave(32, 0.3));
  compare(got.b, wave(4, 1.5), wave(4, 1.3));
}

constexpr double rate = 0.1;
struct nesterov : tr::momentum {
  constexpr nesterov() : tr::momentum{.nesterov = true} {}
};
struct decaying : tr::adam {
  constexpr decaying() : tr::adam(tr::adamw(0.01)) {}
};
struct decaying_lion : tr::lion {
  constexpr decaying_lion() : tr::lion{.decay = 0.02} {}
};

std::function<double(double, double)> plain_adam(double decay) {
  return [decay, m = 0.0, v = 0.0, t = 0](double p, double g) mutable {
    ++t;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    double const first = m / (1 - std::pow(0.9, t)), second = v / (1 - std::pow(0.999, t));
    return p - rate * (first / (std::sqrt(second) + 1e-8) + decay * p);
  };
}

TEST(optimizers, as_their_papers) {
  using step = std::function<double(double, double)>;
  follows<tr::sgd>([]() -> step { return [](double p, double g) { return p - rate * g; }; });
  follows<tr::momentum>(
      []() -> step { return [m = 0.0](double p, double g) mutable { return p - rate * (m = 0.9 * m + g); }; });
  follows<nesterov>([]() -> step {
    return [m = 0.0](double p, double g) mutable {
      m = 0.9 * m + g;
      return p - rate * (g + 0.9 * m);
    };
  });
  follows<tr::adam>([] { return plain_adam(0); });
  follows<decaying>([] { return plain_adam(0.01); });
  follows<decaying_lion>([]() -> step {
    return [m = 0.0](double p, double g) mutable {
      double const c = 0.9 * m + 0.1 * g;
      m = 0.99 * m + 0.01 * g;
      return p - rate * (double(c > 0) - double(c < 0) + 0.02 * p);
    };
  });
}

// The moments lie as their parameters do, and an update sends nothing.
struct adam_once {
  constexpr auto operator()(auto p, auto g) const {
    constexpr tr::adam optimizer{};
    return optimizer.update(g, optimizer.init(p), p, 0.1);
  }
};
TEST(optimizers, layouts) {
  using pair = decltype(tree(1));
  static_assert(ts::comm_of<adam_once, pair, pair>.count() == 0);
  auto const [p, s] = run<adam_once>(tree(1), tree(2));
  static_assert(ts::type_text<decltype(s.mean.w)> == "float64[8@dp,4@mp]");
  static_assert(ts::type_text<decltype(s.square.b)> == "float64[4@mp]");
  EXPECT_EQ(s.steps.item(), 1);
}

TEST(gradients, norms_and_means) {
  auto const g = tree(0.7);
  double sum = 0;
  for (double v : wave(32, 0.7)) sum += v * v;
  for (double v : wave(4, 1.7)) sum += v * v;
  auto const [norm, clipped, kept, more, mean] = ts::jit([](auto x) {
    return std::tuple{tr::global_norm(x), tr::clip_by_global_norm(x, 0.5), tr::clip_by_global_norm(x, 100.0),
                      tr::accumulate(x, x, 4), tr::ema(x, tr::add_decay(x, x, 1), 0.75)};
  })(g);
  EXPECT_NEAR(norm.item(), std::sqrt(sum), 1e-5);
  auto scaled = wave(32, 0.7);
  for (double& v : scaled) v *= 0.5 / std::sqrt(sum);
  expect(clipped.w, scaled, 1e-6);
  expect(kept.b, wave(4, 1.7), 1e-6);
  auto grown = wave(32, 0.7);
  for (double& v : grown) v *= 1.25;
  expect(more.w, grown, 1e-6);
  expect(mean.w, grown, 1e-6);
}

// A schedule, which has members, as a function without state.
template <class Schedule>
struct of_step {
  constexpr auto operator()(auto step) const { return Schedule{}(step); }
};
TEST(schedules, by_step) {
  auto const at = [](auto schedule, int step) {
    return static_cast<double>(
        run<of_step<decltype(schedule)>>(put<ts::P<>, 1>(std::vector<double>{double(step)}).at(0).get()).item());
  };
  struct line : tr::linear {
    constexpr line() : tr::linear{1, 0.5, 10} {}
  };
  struct falling : tr::exponential_decay {
    constexpr falling() : tr::exponential_decay{0.1, 0.5, 10, false} {}
  };
  struct stairs : tr::exponential_decay {
    constexpr stairs() : tr::exponential_decay{0.1, 0.5, 10, true} {}
  };
  struct wave_down : tr::cosine {
    constexpr wave_down() : tr::cosine{2, 100, 0.1} {}
  };
  struct up_and_down : tr::warmup_cosine {
    constexpr up_and_down() : tr::warmup_cosine{0, 1, 10, 110, 0.1} {}
  };
  for (int s : {0, 3, 10, 25, 60, 100, 400}) {
    EXPECT_NEAR(at(line{}, s), 1 - 0.05 * std::min(s, 10), 1e-6);
    EXPECT_NEAR(at(falling{}, s), 0.1 * std::pow(0.5, s / 10.0), 1e-6);
    EXPECT_NEAR(at(stairs{}, s), 0.1 * std::pow(0.5, s / 10), 1e-6);
    double const part = std::min(s, 100) / 100.0, after = std::clamp((s - 10) / 100.0, 0.0, 1.0);
    EXPECT_NEAR(at(wave_down{}, s), 2 * (0.9 * 0.5 * (1 + std::cos(M_PI * part)) + 0.1), 1e-6);
    double const down = 0.1 + 0.9 * 0.5 * (1 + std::cos(M_PI * after));
    EXPECT_NEAR(at(up_and_down{}, s), s < 10 ? s / 10.0 : down, 1e-6);
  }
}

template <class X>
double variance_of(X const& x) {
  double sum = 0, n = 0;
  for (double v : x.to_host()) sum += v * v, ++n;
  return sum / n;
}
TEST(initializers, variance_and_layout) {
  auto const key =
      ts::random::wrap_key_data(ts::device_put<ts::P<>>(ts::random::key(1).data, ts::make_mesh<grid>(ts::devices())));
  auto const [a, b, c, d, e, f, q, r] = ts::jit([](auto k) {
    constexpr ts::out_sharding_t<ts::P<dp, mp>> out{};
    auto const keys = ts::random::split<8>(k);
    return std::tuple{
        tr::glorot_uniform<float, 64, 192>(keys[0], out), tr::glorot_normal<float, 64, 192>(keys[1], out),
        tr::he_uniform<float, 64, 192>(keys[2], out),     tr::he_normal<float, 64, 192>(keys[3], out),
        tr::lecun_normal<float, 4, 16, 192>(keys[4]),     tr::scaled_normal<float, 64, 192>(keys[5], 0.02, out),
        tr::orthogonal<double, 12, 5>(keys[6]),           tr::orthogonal<double, 3, 7>(keys[7])};
  })(key);
  static_assert(ts::type_text<decltype(a)> == "float32[64@dp,192@mp]");
  EXPECT_NEAR(variance_of(a) * 128, 1, 0.05);
  EXPECT_NEAR(variance_of(b) * 128, 1, 0.05);
  EXPECT_NEAR(variance_of(c) * 32, 1, 0.05);
  EXPECT_NEAR(variance_of(d) * 32, 1, 0.05);
  EXPECT_NEAR(variance_of(e) * 64, 1, 0.05);
  EXPECT_NEAR(variance_of(f) * 2500, 1, 0.05);
  auto const upright = [](auto const& host, std::size_t rows, std::size_t columns) {
    bool const tall = rows >= columns;
    std::size_t const n = tall ? columns : rows, length = tall ? rows : columns;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double dot = 0;
        for (std::size_t k = 0; k < length; ++k)
          dot += tall ? host[k * columns + i] * host[k * columns + j] : host[i * columns + k] * host[j * columns + k];
        EXPECT_NEAR(dot, i == j, 1e-9) << i << ' ' << j;
      }
  };
  upright(q.to_host(), 12, 5);
  upright(r.to_host(), 3, 7);
}

TEST(dropout, keeps_what_it_says) {
  auto const key =
      ts::random::wrap_key_data(ts::device_put<ts::P<>>(ts::random::key(2).data, ts::make_mesh<grid>(ts::devices())));
  auto const x = put<ts::P<dp, mp>, 128, 64>(std::vector<double>(128 * 64, 3.0));
  auto const y = ts::jit([](auto k, auto v) { return tr::dropout(k, v, 0.25); })(key, x);
  static_assert(std::is_same_v<decltype(y)::type, decltype(x)::type>);
  double kept = 0;
  for (double v : y.to_host()) {
    EXPECT_TRUE(v == 0 || std::abs(v - 4) < 1e-12) << v;
    kept += v != 0;
  }
  EXPECT_NEAR(kept / (128 * 64), 0.75, 0.02);
}

}  // namespace
