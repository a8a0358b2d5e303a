// SPDX-License-Identifier: Apache-2.0
// Blocks that a scan hands on from device to device without a copy: what each device sees of them in each turn, what is
// left at the end, and which programs still copy.

#include <tessera/tessera.hpp>

#include <tessera/engine/exec/move/in_process.hpp>

#include "support/near.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct ring : ts::axis {};
// Blocks differ over dp, too; each device's are 2 rows of 3.
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<ring, 4>>;
constexpr std::size_t rows = 2, width = 3, devices = 4;
using whole = ts::P<dp, ring, ts::none>;

auto put() {
  std::vector<float> host(2 * devices * rows * width);
  for (std::size_t k = 0; k < host.size(); ++k) host[k] = static_cast<float>(k);
  return ts::device_put<whole>(ts::host<2, static_cast<std::int64_t>(devices * rows), width>(std::move(host)),
                               ts::make_mesh<grid>(ts::local_devices()));
}
// Element k of a device's block on row d of dp, at position p of the ring, and where it lies in the whole.
std::size_t at(std::size_t d, std::size_t p, std::size_t k) { return (d * devices + p) * rows * width + k; }

// f(what each device has at each turn, turn) is added up; `next`: whose block comes next.
template <class Next>
std::vector<float> added(int turns, bool handed_on_first, Next const& next,
                         std::vector<std::vector<float>>* seen = {}) {
  std::vector<float> x = put().to_host(), sum(x.size());
  for (int t = 0; t < turns; ++t) {
    std::vector<float> moved(x.size());
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t p = 0; p < devices; ++p)
        for (std::size_t k = 0; k < rows * width; ++k) moved[at(d, p, k)] = x[at(d, next(p), k)];
    if (seen) seen->push_back(x);
    for (std::size_t k = 0; k < x.size(); ++k) sum[k] += handed_on_first ? moved[k] : x[k];
    x = moved;
  }
  if (seen) seen->push_back(x);
  return sum;
}
constexpr auto before = [](std::size_t p) { return (p + devices - 1) % devices; };
constexpr std::int64_t swapped_ends(std::int64_t p, std::int64_t count) { return p % 3 == 0 ? count - 1 - p : p; }
constexpr auto other_end = [](std::size_t p) { return p % 3 == 0 ? devices - 1 - p : p; };

template <class F>
struct mapped {
  constexpr mapped() = default;
  constexpr explicit mapped(F) {}
  constexpr auto operator()(auto x) const { return ts::shard_map<ts::out_specs<whole, whole>>(F{})(x); }
};

template <int Turns>
inline constexpr mapped sums{[](auto x) {
  auto const [last, none] = ts::scan<Turns>(
      [](auto carry) {
        auto const& [x, sum] = carry;
        return std::tuple{std::tuple{ts::ppermute<ring>(x, ts::rotate<1>), sum + x}, std::tuple{}};
      },
      std::tuple{x, ts::zeros_like(x)});
  return last;
}};

template <int Turns>
void expect_sums() {
  auto const [x, sum] = ts::jit(sums<Turns>)(put());
  std::vector<std::vector<float>> seen;
  EXPECT_EQ(sum.to_host(), added(Turns, false, before, &seen)) << Turns;
  EXPECT_EQ(x.to_host(), seen.back()) << Turns;
}
TEST(relay, is_what_a_copy_would_be_after_any_number_of_turns) {
  expect_sums<1>();
  expect_sums<3>();
  expect_sums<4>();
  expect_sums<6>();
}

TEST(relay, may_be_read_after_it_is_handed_on) {
  constexpr mapped f{[](auto x) {
    auto const [last, none] = ts::scan<3>(
        [](auto carry) {
          auto const& [x, sum] = carry;
          auto const next = ts::ppermute<ring>(x, ts::rotate<1>);
          return std::tuple{std::tuple{next, sum + next}, std::tuple{}};
        },
        std::tuple{x, ts::zeros_like(x)});
    return last;
  }};
  auto const [x, sum] = ts::jit(f)(put());
  EXPECT_EQ(sum.to_host(), added(3, true, before));
}

TEST(relay, goes_by_any_permutation) {
  constexpr mapped f{[](auto x) {
    auto const [last, none] = ts::scan<3>(
        [](auto carry) {
          auto const& [x, sum] = carry;
          return std::tuple{std::tuple{ts::ppermute<ring>(x, ts::perm_by<swapped_ends>), sum + x}, std::tuple{}};
        },
        std::tuple{x, ts::zeros_like(x)});
    return last;
  }};
  auto const [x, sum] = ts::jit(f)(put());
  std::vector<std::vector<float>> seen;
  EXPECT_EQ(sum.to_host(), added(3, false, other_end, &seen));
  EXPECT_EQ(x.to_host(), seen.back());
}

// A product, a transposed view, and each turn's value kept.
TEST(relay, is_read_by_products_and_copies) {
  constexpr auto f = [](auto x) {
    return ts::shard_map<ts::out_specs<whole, ts::P<ts::none, dp, ring, ts::none>>>([](auto x) {
      auto const [last, kept] = ts::scan<3>(
          [](auto carry) {
            auto const& [x, sum] = carry;
            auto const squares = ts::einsum<"dij,dkj->dik">(x, x);
            auto const more = ts::einsum<"dik,dkj->dij">(squares, x);
            return std::tuple{std::tuple{ts::ppermute<ring>(x, ts::rotate<1>), sum + more}, x};
          },
          std::tuple{x, ts::zeros_like(x)});
      return std::tuple{std::get<1>(last), kept};
    })(x);
  };
  auto const [sum, kept] = ts::jit(f)(put());
  std::vector<std::vector<float>> seen;
  added(3, false, before, &seen);
  std::vector<float> expected(seen[0].size()), all;
  for (std::size_t t = 0; t < 3; ++t) {
    all.insert(all.end(), seen[t].begin(), seen[t].end());
    for (std::size_t b = 0; b < 2 * devices; ++b) {
      float const* const x = seen[t].data() + b * rows * width;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j)
          for (std::size_t k = 0; k < rows; ++k) {
            float square = 0;
            for (std::size_t m = 0; m < width; ++m) square += x[i * width + m] * x[k * width + m];
            expected[b * rows * width + i * width + j] += square * x[k * width + j];
          }
    }
  }
  EXPECT_EQ(sum.to_host(), expected);
  EXPECT_EQ(kept.to_host(), all);
}

// A reduction over devices reads all blocks by one address.
TEST(relay, is_copied_where_something_reads_all_blocks) {
  constexpr mapped f{[](auto x) {
    auto const [last, none] = ts::scan<3>(
        [](auto carry) {
          auto const& [x, sum] = carry;
          auto const next = ts::ppermute<ring>(x, ts::rotate<1>);
          return std::tuple{std::tuple{next, sum + x * ts::psum<ring>(x)}, std::tuple{}};
        },
        std::tuple{x, ts::zeros_like(x)});
    return last;
  }};
  auto const [x, sum] = ts::jit(f)(put());
  std::vector<std::vector<float>> seen;
  added(3, false, before, &seen);
  std::vector<float> expected(seen[0].size());
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t k = 0; k < rows * width; ++k) {
        float all = 0;
        for (std::size_t p = 0; p < devices; ++p) all += seen[t][at(d, p, k)];
        for (std::size_t p = 0; p < devices; ++p) expected[at(d, p, k)] += seen[t][at(d, p, k)] * all;
      }
  EXPECT_EQ(sum.to_host(), expected);
  EXPECT_EQ(x.to_host(), seen.back());
}

// Single numbers: no loop is left below the devices'.
TEST(relay, may_be_one_number_a_device) {
  constexpr auto f = [](auto x) {
    return ts::shard_map<ts::out_specs<ts::P<ring>>>([](auto x) {
      auto const [last, none] = ts::scan<3>(
          [](auto carry) {
            auto const& [x, sum] = carry;
            return std::tuple{std::tuple{ts::ppermute<ring>(x, ts::rotate<1>), sum * 10 + x}, std::tuple{}};
          },
          std::tuple{x, ts::zeros_like(x)});
      return std::get<1>(last);
    })(x);
  };
  using line = ts::mesh<ts::explicit_axis<ring, 4>>;
  auto const x = ts::device_put<ts::P<ring>>(ts::host<4>(std::vector<float>{1, 2, 3, 4}),
                                             ts::make_mesh<line>(ts::local_devices()));
  EXPECT_EQ((ts::jit(f)(x).to_host()), (std::vector<float>{143, 214, 321, 432}));
}

TEST(relay, counts_as_sent_but_takes_no_step) {
  ONLY_ON_HOST();
  auto const x = put();
  auto& sent = ts::local_communicator().counted();
  auto const messages = sent.calls(ts::collective::permute), steps = ts::launches_so_far().steps();
  ts::jit(sums<4>)(x);
  EXPECT_EQ(sent.calls(ts::collective::permute) - messages, 4);
  EXPECT_LE(ts::launches_so_far().steps() - steps, 4 + 2) << "the sums, and copies of what is carried at first";
}

}  // namespace
