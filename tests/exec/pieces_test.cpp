// SPDX-License-Identifier: Apache-2.0
// Concatenations that are read piece by piece, and parts that are computed in their place, have the elements of those in
// memory, to the last bit: each program runs as one, and its functions one by one. Some are also computed here.
// optimized at night
// stand-in at night

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
using ring = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr std::int64_t rows = 72, columns = 130;
using plane = decltype(ts::device_put(ts::host<rows, columns>(std::vector<float>{})));

std::vector<float> numbers(std::int64_t count, int seed = 1) {
  std::vector<float> v(count);
  std::mt19937 g(seed);
  for (float& x : v) x = std::uniform_real_distribution<float>(-1, 1)(g);
  return v;
}
auto some(int seed = 1) { return ts::device_put(ts::host<rows, columns>(numbers(rows * columns, seed))); }

template <class F, class... X>
void expect_same(F const& f, X const&... x) {
  auto const together = ts::jit(f)(x...);
  auto const one_by_one = f(x...);
  EXPECT_EQ(together.to_host(), one_by_one.to_host());
}

constexpr auto stencil = [](auto const& u) {
  return 0.5f * u + 0.125f * (ts::roll<1, 0>(u) + ts::roll<-1, 0>(u) + ts::roll<3, 1>(u) + ts::roll<-1, 1>(u));
};
constexpr auto stencil_of_arrays = [](auto const& u) { return stencil(u); };
static_assert(ts::memory_of<decltype(stencil_of_arrays), plane>.temporaries == 0, "no roll is in memory");

TEST(pieces, of_a_stencil) {
  auto const x = some();
  auto const v = x.to_host();
  auto const at = [&](std::int64_t r, std::int64_t c) {
    return v[(r + rows) % rows * columns + (c + columns) % columns];
  };
  auto const y = ts::jit(stencil)(x).to_host();
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      EXPECT_EQ(y[r * columns + c],
                0.5f * at(r, c) + 0.125f * (at(r - 1, c) + at(r + 1, c) + at(r, c - 3) + at(r, c + 1)));
}

// An argument whose memory the result takes is still read where it is written.
TEST(pieces, of_a_donated_argument) {
  auto x = some();
  auto const expected = ts::jit(stencil)(x).to_host();
  EXPECT_EQ(ts::jit(stencil)(std::move(x)).to_host(), expected);
}

TEST(pieces, beside_other_operands) {
  auto const x = some(), y = some(2);
  auto const row = ts::device_put(ts::host<columns>(numbers(columns, 3)));
  auto const column = ts::device_put(ts::host<rows, 1>(numbers(rows, 4)));
  expect_same(
      [](auto a, auto b, auto r, auto c) {
        auto const index = ts::astype<float>(ts::iota<int, 1, rows, columns>());
        return ts::where(a > 0, ts::roll<5, 1>(b) * r, ts::roll<-7, 0>(a) - c) + index;
      },
      x, y, row, column);
}

TEST(pieces, of_three_and_of_columns) {
  auto const x = some(), y = some(2);
  expect_same(
      [](auto a, auto b) {
        auto const first = ts::slice_in_dim<0, 0, 20>(a);
        auto const last = ts::slice_in_dim<0, 60, 72>(b);
        return ts::concatenate<0>(last, ts::slice_in_dim<0, 8, 48>(a), first) * b;
      },
      x, y);
  expect_same(
      [](auto a, auto b) {
        return b / ts::concatenate<1>(ts::sin(ts::slice_in_dim<1, 0, 1>(a)), ts::slice_in_dim<1, 1, 130>(b));
      },
      x, y);
  expect_same([](auto a) { return a + ts::roll<1, 0>(ts::transpose(ts::roll<2, 1>(ts::transpose(a)))); }, x);
}

// Rows are computed whole: a seam between rows is none in a row.
TEST(pieces, before_reductions_of_rows) {
  auto const x = some();
  expect_same([](auto a) { return ts::sum<1>(ts::roll<1, 0>(a) * a); }, x);
  expect_same([](auto a) { return ts::softmax(ts::roll<1, 1>(a) + a); }, x);
}

TEST(pieces, of_what_others_read_too) {
  auto const x = some();
  auto const [a, b, c] = ts::jit([](auto u) {
    auto const rolled = ts::roll<9, 0>(u);
    return std::tuple{rolled, rolled * u, ts::matmul(ts::transpose(rolled), u)};
  })(x);
  auto const rolled = ts::roll<9, 0>(x);
  EXPECT_EQ(a.to_host(), rolled.to_host());
  EXPECT_EQ(b.to_host(), (rolled * x).to_host());
  auto const product = c.to_host(), expected = ts::matmul(ts::transpose(rolled), x).to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(product[i], expected[i], 1e-4);
  expect_same(
      [](auto u) {
        auto const far = ts::roll<9, 0>(u);
        return ts::max(far * u) + ts::cumsum<0>(ts::sin(far) - u);
      },
      x);
}

#ifndef TESSERA_BY_DAY
TEST(pieces, of_all_types_and_ranks) {
  std::vector<std::int8_t> small(16 * 20 * 64);
  for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<std::int8_t>(i * 7);
  expect_same([](auto u) { return ts::roll<1, 0>(u) + ts::roll<-2, 1>(u) * ts::roll<1, 2>(u) + ts::roll<-1, 2>(u); },
              ts::device_put(ts::host<16, 20, 64>(small)));
  expect_same([](auto u) { return ts::roll<100, 0>(u) - u; }, ts::device_put(ts::host<5000>(numbers(5000))));
  expect_same([](auto u) { return ts::astype<ts::bfloat16>(ts::roll<1, 0>(u) * 3) + ts::astype<ts::bfloat16>(u); },
              some());
}

TEST(pieces, in_gradients_and_loops) {
  auto const x = some();
  auto const loss = [](auto u) { return ts::sum(ts::square(ts::roll<1, 0>(u) - u) + ts::roll<1, 1>(u) * u); };
  auto const slope = ts::grad(loss)(x).to_host();
  auto const v = x.to_host();
  auto const at = [&](std::int64_t r, std::int64_t c) {
    return v[(r + rows) % rows * columns + (c + columns) % columns];
  };
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      EXPECT_NEAR(slope[r * columns + c],
                  4 * at(r, c) - 2 * at(r - 1, c) - 2 * at(r + 1, c) + at(r, c - 1) + at(r, c + 1), 1e-5);
  auto turned = x;
  for (int k = 0; k < 5; ++k) turned = ts::jit(stencil)(turned);
  auto const looped = ts::jit([](auto u) {
    return ts::fori_loop(
        0, 5, [](auto, auto w) { return stencil(w); }, u);
  })(x);
  EXPECT_EQ(looped.to_host(), turned.to_host());
}

// A block between the rows of its neighbors: each device reads three values.
TEST(pieces, of_halos) {
  auto const mesh = ts::make_mesh<ring>(ts::devices());
  constexpr std::int64_t all = 4 * rows;
  auto const v = numbers(all * columns);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<all, columns>(v), mesh);
  auto const y = ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto u) {
                   auto const above = ts::ppermute<dp>(ts::slice_in_dim<0, rows - 1, rows>(u), ts::rotate<1>);
                   return u - ts::concatenate<0>(above, ts::slice_in_dim<0, 0, rows - 1>(u));
                 }))(x)
                     .to_host();
  for (std::int64_t r = 0; r < all; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      EXPECT_EQ(y[r * columns + c], v[r * columns + c] - v[(r + all - 1) % all * columns + c]);
}

// What is computed for a part of an array is computed there.
constexpr auto inner = [](auto u) {
  return 0.25f * (ts::slice(u, ts::starts<0, 1>, ts::limits<rows - 2, columns - 1>) +
                  ts::slice(u, ts::starts<2, 1>, ts::limits<rows, columns - 1>) +
                  ts::slice(u, ts::starts<1, 0>, ts::limits<rows - 1, columns - 2>) +
                  ts::slice(u, ts::starts<1, 2>, ts::limits<rows - 1, columns>));
};
constexpr auto padded = [](auto u) { return ts::pad(inner(u), 2.f, ts::low<1, 1>, ts::high<1, 1>); };
constexpr auto replaced = [](auto u) {
  return u.at(ts::span<1, rows - 1>(), ts::span<1, columns - 1>()).set(inner(u));
};
constexpr auto padded_twice = [](auto u) { return padded(padded(u)); };
constexpr std::int64_t bytes = 4 * rows * columns, number = 4;  // of a plane; of what pads it
static_assert(ts::memory_of<decltype(padded), plane>.temporaries == number, "the inner part is in the result");
static_assert(ts::memory_of<decltype(replaced), plane>.temporaries == 0);
static_assert(ts::memory_of<decltype(padded_twice), plane>.temporaries <= bytes + 2 * number);
static_assert(ts::memory_of<decltype(padded_twice), plane>.peak <= 3 * bytes + 2 * number);

TEST(parts, are_computed_in_their_place) {
  auto const x = some();
  expect_same(padded, x);
  expect_same(replaced, x);
  expect_same(padded_twice, x);
  expect_same([](auto u) { return ts::concatenate<1>(ts::sin(u), u * 2, ts::cos(u), u); }, x);
  expect_same([](auto u) { return ts::concatenate<0>(ts::sum<1>(u * u), ts::sum<1>(u), ts::sum<0>(u)); }, x);
  expect_same(
      [](auto u) {
        auto const y = ts::sin(u);
        return ts::concatenate<0>(y, ts::cos(u), y);
      },
      x);
  expect_same([](auto u) { return ts::pad(ts::exp(u), 0.f, ts::low<0, 3>, ts::high<2, -5>); }, x);
  auto const v = x.to_host();
  auto const at = [&](std::int64_t r, std::int64_t c) { return v[r * columns + c]; };
  auto const y = ts::jit(replaced)(x).to_host();
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      bool const edge = r == 0 || c == 0 || r == rows - 1 || c == columns - 1;
      EXPECT_EQ(y[r * columns + c],
                edge ? at(r, c) : 0.25f * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)));
    }
}

// The argument's memory is the result's: the neighbors are read before they are overwritten.
TEST(parts, of_a_donated_argument) {
  auto x = some(), z = some();
  auto const expected = ts::jit(replaced)(x).to_host(), other = ts::jit(padded)(z).to_host();
  EXPECT_EQ(ts::jit(replaced)(std::move(x)).to_host(), expected);
  EXPECT_EQ(ts::jit(padded)(std::move(z)).to_host(), other);
  auto w = some();
  auto const outer = [](auto u) { return u.at(ts::span<0, 8>()).set(ts::sin(ts::slice_in_dim<0, 0, 8>(u))); };
  auto const at_edge = ts::jit(outer)(w).to_host();
  EXPECT_EQ(ts::jit(outer)(std::move(w)).to_host(), at_edge);
}

TEST(parts, in_loops_and_gradients) {
  auto const x = some();
  auto turned = x, other = x;
  for (int k = 0; k < 5; ++k) turned = ts::jit(replaced)(turned), other = ts::jit(padded)(other);
  auto const [y, z] = ts::jit([](auto u) {
    return std::tuple{ts::fori_loop(
                          0, 5, [](auto, auto w) { return replaced(w); }, u),
                      ts::fori_loop(
                          0, 5, [](auto, auto w) { return padded(w); }, u)};
  })(x);
  EXPECT_EQ(y.to_host(), turned.to_host());
  EXPECT_EQ(z.to_host(), other.to_host());
  auto const stacked = ts::jit([](auto u) {
    return std::get<1>(ts::scan(
        [](auto c, auto) {
          return std::tuple{padded(c), replaced(c)};
        },
        u, ts::zeros<float, 3>()));
  })(x);
  auto const all = stacked.to_host();
  auto const first = ts::jit(replaced)(x).to_host();
  EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
  auto const last = ts::jit(replaced)(ts::jit(padded_twice)(x)).to_host();
  EXPECT_TRUE(std::equal(last.begin(), last.end(), all.end() - rows * columns));
  expect_same(ts::grad([](auto u) { return ts::sum(ts::square(padded(u)) + replaced(u)); }), x);
}

// Each device computes its part within its own block.
TEST(parts, of_blocks) {
  auto const mesh = ts::make_mesh<ring>(ts::devices());
  auto const v = numbers(4 * rows * columns);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4 * rows, columns>(v), mesh);
  auto const y = ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(padded))(x).to_host();
  for (std::int64_t d = 0; d < 4; ++d) {
    std::vector<float> const block(v.begin() + d * rows * columns, v.begin() + (d + 1) * rows * columns);
    auto const alone = ts::jit(padded)(ts::device_put(ts::host<rows, columns>(block))).to_host();
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), y.begin() + d * rows * columns));
  }
}

// Steps between products run part by part, and what only they read is in the memory of a thread.
TEST(parts, between_products) {
  constexpr std::int64_t tall = 2048, wide = 256;
  auto const x = ts::device_put(ts::host<tall, wide>(numbers(tall * wide)));
  auto const w = ts::device_put(ts::host<wide, wide>(numbers(wide * wide, 2)));
  auto const v = ts::device_put(ts::host<2 * wide, wide>(numbers(2 * wide * wide, 3)));
  expect_same(
      [](auto a, auto b, auto c) {
        auto const h = ts::matmul(a, b);
        return ts::tanh(ts::matmul(ts::concatenate<1>(h * 2, h + 1), c));
      },
      x, w, v);
  expect_same(
      [](auto a, auto b) {
        auto const h = ts::matmul(a, b);
        auto const q = ts::matmul(ts::pad(ts::slice_in_dim<1, 0, 240>(h) * 2, 1.f, ts::low<0, 8>, ts::high<0, 8>), b);
        return q + ts::roll<1, 1>(q) * h;
      },
      x, w);
}

// Rows of other lengths than blocks of 64: the last block is computed over some elements of the one before.
TEST(pieces, last_elements_of_rows) {
  auto const x = some();
  expect_same([](auto u) { return ts::exp(ts::slice_in_dim<1, 1, 130>(u)) * ts::slice_in_dim<1, 0, 129>(u); }, x);
  expect_same([](auto u) { return ts::slice_in_dim<1, 3, 68>(u) / 3 + ts::slice_in_dim<1, 0, 65>(u); }, x);
}
#endif

}  // namespace
