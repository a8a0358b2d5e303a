// SPDX-License-Identifier: Apache-2.0
// Kernels in vmap: the batch is one more dimension of the grid. Tables, values that a result begins with, scratch
// memory, program ids, loops in the body, several batches and split ones, against plain loops over the elements.
// stand-in at night

#include "support/kernel_case.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

// A row of y by the table, added up in scratch memory with a block of x; the first result begins with `base`.
struct gather_and_add {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const&, auto const& x, auto const& y,
                            auto const&, auto& out, auto& seen, auto& sum) const {
    sum += x * 0.5 + y;
    auto const k = ts::program_id<1>(program);
    auto const weight = ts::fori_loop(
        0, k + 1, [](auto, auto w) { return w + 1; }, ts::zeros<float>());
    out += sum * weight + y;
    ts::when(
        k == 2, [](auto& all) { all = all * 2; }, out);
    seen = 0 * seen + ts::program_id<0>(program) * 100 + k + ts::num_programs<1>(program) * 1000;
  }
};
struct two_rows {
  constexpr auto operator()(auto i, auto) const { return std::tuple{i, 0}; }
};
struct by_table {
  constexpr auto operator()(auto i, auto k, auto at) const { return std::tuple{at(i, k), 0}; }
};
struct each {
  constexpr auto operator()(auto i, auto k) const { return std::tuple{i, k}; }
};
constexpr auto gathered =
    ts::kernel<ts::kernel_grid<2, ts::sequential{3}>,
               ts::in_block_specs<ts::scalar_prefetch, ts::block_spec<two_rows{}, 2, 4>,
                                  ts::block_spec<by_table{}, 1, 4>, ts::block_spec<>>,
               ts::out_block_specs<ts::out_block<ts::block_spec<two_rows{}, 2, 4>, float, 4, 4>,
                                   ts::out_block<ts::block_spec<each{}, 1, 1>, std::int32_t, 2, 3>>,
               ts::scratch<float, 2, 4>, ts::alias<3, 0>>(gather_and_add{});
struct call {
  constexpr auto operator()(auto const& t, auto const& x, auto const& y, auto const& base) const {
    return gathered(t, x, y, base);
  }
};

numbers rows(std::size_t batch) {
  numbers made;
  for (std::size_t i = 0; i < batch * 6; ++i) made.push_back(static_cast<std::int32_t>((i * i + i / 5) % 5));
  return made;
}
// The first result for elements t, x, y and base of the batches of the operands.
std::vector<double> one(std::size_t t, std::size_t x, std::size_t y, std::size_t base) {
  auto const at = rows(6);
  auto const xs = wave(96), ys = wave(120, 1), begin = wave(96, 2);
  std::vector<double> z(16);
  for (std::size_t i = 0; i < 16; ++i) z[i] = begin[16 * base + i];
  std::vector<double> sum(16);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c) {
        double const row = ys[20 * y + 4 * static_cast<std::size_t>(at[6 * t + r / 2 * 3 + k]) + c];
        sum[4 * r + c] += 0.5 * xs[16 * x + 4 * r + c] + row;
        z[4 * r + c] += sum[4 * r + c] * static_cast<double>(k + 1) + row;
        if (k == 2) z[4 * r + c] *= 2;
      }
  return z;
}
template <class Element>
std::vector<double> all(std::size_t batch, Element const& element) {
  std::vector<double> made;
  for (std::size_t b = 0; b < batch; ++b)
    for (double v : element(b)) made.push_back(v);
  return made;
}
std::vector<double> seen(std::size_t batch) {
  return all(batch, [](std::size_t) { return std::vector<double>{3000, 3001, 3002, 3100, 3101, 3102}; });
}
template <class Got>
void expect_both(Got const& got, std::vector<double> const& want) {
  expect(std::get<0>(got), want);
  expect(std::get<1>(got), seen(want.size() / 16));
}

auto tables() { return table<6, 2, 3>(rows(6)); }
auto xs() { return matrix<6, 4, 4>(); }
auto ys() { return matrix<6, 5, 4>(1); }
auto bases() { return matrix<6, 4, 4>(2); }
auto table_alone() { return table<2, 3>(rows(1)); }

TEST(kernel_vmap, of_all_operands_or_of_one) {
  auto const mapped = [](auto in) { return [](auto const&... a) { return ts::vmap<decltype(in)>(call{})(a...); }; };
  constexpr int no = ts::unmapped;
  auto const x = ts::asarray(ts::host<4, 4>(wave(16)));
  auto const y = ts::asarray(ts::host<5, 4>(wave(20, 1)));
  auto const base = ts::asarray(ts::host<4, 4>(wave(16, 2)));
  auto const each_of_all = all(6, [](auto b) { return one(b, b, b, b); });
  expect_both(ts::jit(mapped(ts::in_axes<0>{}))(tables(), xs(), ys(), bases()), each_of_all);
  expect_both(ts::vmap(call{})(tables(), xs(), ys(), bases()), each_of_all);
  expect_both(ts::jit(mapped(ts::in_axes<0, no, no, no>{}))(tables(), x, y, base),
              all(6, [](auto b) { return one(b, 0, 0, 0); }));
  expect_both(ts::jit(mapped(ts::in_axes<no, 0, no, no>{}))(table_alone(), xs(), y, base),
              all(6, [](auto b) { return one(0, b, 0, 0); }));
  expect_both(ts::jit(mapped(ts::in_axes<no, no, 0, no>{}))(table_alone(), x, ys(), base),
              all(6, [](auto b) { return one(0, 0, b, 0); }));
  expect_both(ts::jit(mapped(ts::in_axes<no, no, no, 0>{}))(table_alone(), x, y, bases()),
              all(6, [](auto b) { return one(0, 0, 0, b); }));
}
// Dimensions elsewhere than in front, of operands and of results.
TEST(kernel_vmap, along_other_dimensions) {
  auto const f = [](auto t, auto x, auto y, auto base) {
    return ts::vmap<ts::in_axes<2, 1, 0, 2>, ts::out_axes<1, 0>>(call{})(ts::moveaxis<0, 2>(t), ts::moveaxis<0, 1>(x),
                                                                         y, ts::moveaxis<0, 2>(base));
  };
  auto const got = ts::jit(f)(tables(), xs(), ys(), bases());
  static_assert(ts::type_text<std::tuple_element_t<0, std::remove_const_t<decltype(got)>>> == "float32[4,6,4]");
  auto const z = std::get<0>(got).to_host();
  for (std::size_t b = 0; b < 6; ++b) {
    auto const want = one(b, b, b, b);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(z[i / 4 * 24 + 4 * b + i % 4], want[i], 1e-5) << b << ' ' << i;
  }
}
// Two and three batches: each operand in some of them.
struct pairs {
  constexpr auto operator()(auto const& t, auto const& x, auto const& y, auto const& base) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped, 0, ts::unmapped>>(
        [](auto const& t1, auto const& x1, auto const& y1, auto const& base1) {
          return ts::vmap<ts::in_axes<ts::unmapped, 0, 0, ts::unmapped>>(call{})(t1, x1, y1, base1);
        })(t, x, y, base);
  }
};
TEST(kernel_vmap, nested) {
  auto const y = matrix<2, 3, 5, 4>(1);
  auto const base = ts::asarray(ts::host<4, 4>(wave(16, 2)));
  auto const two = ts::asarray(ts::host<2, 2, 3>(rows(2)));
  auto const three = ts::asarray(ts::host<3, 4, 4>(wave(48)));
  auto const want = all(6, [](auto b) { return one(b / 3, b % 3, b, 0); });
  expect_both(ts::jit(pairs{})(two, three, y, base), want);
  expect_both(pairs{}(two, three, y, base), want);
  auto const thrice = [](auto t, auto x, auto w, auto b) {
    return ts::vmap<ts::in_axes<ts::unmapped, ts::unmapped, ts::unmapped, 0>>(pairs{})(t, x, w, b);
  };
  auto const bases2 = ts::asarray(ts::host<2, 4, 4>(wave(32, 2)));
  expect_both(ts::jit(thrice)(two, three, y, bases2),
              all(12, [](auto b) { return one(b % 6 / 3, b % 3, b % 6, b / 6); }));
}
// In a loop, and with a loop around: the operands of the kernel change with the turn.
TEST(kernel_vmap, in_a_scan) {
  auto const f = [](auto t, auto x, auto y, auto base) {
    auto const turn = [&](auto sum, auto one_y) {
      return std::tuple{std::get<0>(ts::vmap<ts::in_axes<0, 0, ts::unmapped, 0>>(call{})(t, x, one_y, sum)), 0};
    };
    return std::get<0>(ts::scan(turn, base, y));
  };
  auto const ys2 = ts::asarray(ts::host<2, 5, 4>(wave(40, 1)));
  auto const got = ts::jit(f)(tables(), xs(), ys2, bases()).to_host();
  for (std::size_t b = 0; b < 6; ++b) {
    auto const first = one(b, b, 0, b), second = one(b, b, 1, b);
    auto const base = wave(96, 2);
    // The result is linear in what it begins with, which is doubled once.
    for (std::size_t i = 0; i < 16; ++i)
      EXPECT_NEAR(got[16 * b + i], second[i] + 2 * (first[i] - base[16 * b + i]), 1e-4) << b << ' ' << i;
  }
}

#ifndef TESSERA_BY_DAY
// Many elements, so that threads run instances of several: the same as one by one.
TEST(kernel_vmap, instances_on_threads) {
  auto const t = table<600, 2, 3>([] {
    numbers made;
    for (int again = 0; again < 100; ++again)
      for (auto n : rows(6)) made.push_back(n);
    return made;
  }());
  auto const x = matrix<600, 4, 4>(), base = matrix<600, 4, 4>(2);
  auto const y = ts::asarray(ts::host<5, 4>(wave(20, 1)));
  auto const got =
      ts::jit([](auto... a) { return ts::vmap<ts::in_axes<0, 0, ts::unmapped, 0>>(call{})(a...); })(t, x, y, base);
  auto const z = std::get<0>(got).to_host();
  auto const again =
      ts::jit([](auto a, auto b, auto c, auto d) {
        return ts::map(
            [&](auto one) { return std::get<0>(gathered(std::get<0>(one), std::get<1>(one), c, std::get<2>(one))); },
            std::tuple{a, b, d});
      })(t, x, y, base)
          .to_host();
  for (std::size_t i = 0; i < z.size(); ++i) ASSERT_EQ(z[i], again[i]) << i;
}
// A number outside of the array names the element of the batch, too.
TEST(kernel_vmap, a_table_of_a_batch_that_names_no_block) {
  auto bad = rows(6);
  bad[6 * 4 + 5] = 5;
  try {
    ts::vmap<ts::in_axes<0, 0, 0, 0>>(call{})(table<6, 2, 3>(bad), xs(), ys(), bases());
    FAIL();
  } catch (std::out_of_range const& e) {
    EXPECT_NE(std::string(e.what()).find("names block 5 along dimension 1"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("program ids (1, 2) of element (4) of the batch"), std::string::npos)
        << e.what();
  }
}

// Batches whose size is known when the program runs only.
TEST(kernel_vmap, of_a_dynamic_batch) {
  auto const f = [](auto a, auto b, auto c, auto d) { return ts::vmap(call{})(a, b, c, d); };
  for (std::size_t const size : {6, 2}) {
    auto const any = [&]<std::int64_t... N>(auto values, std::integer_sequence<std::int64_t, N...>) {
      values.resize(size * (1 * ... * N));
      return ts::asarray(ts::host<ts::dynamic, N...>(values));
    };
    expect_both(ts::jit(f)(any(rows(6), std::integer_sequence<std::int64_t, 2, 3>{}),
                           any(wave(96), std::integer_sequence<std::int64_t, 4, 4>{}),
                           any(wave(120, 1), std::integer_sequence<std::int64_t, 5, 4>{}),
                           any(wave(96, 2), std::integer_sequence<std::int64_t, 4, 4>{})),
                all(size, [](auto b) { return one(b, b, b, b); }));
  }
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 3>>;

// The batch is split: each device runs the instances of its elements, and nothing is sent.
TEST(kernel_vmap, of_a_split_batch) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const t = ts::device_put<ts::P<dp>>(ts::host<6, 2, 3>(rows(6)), mesh);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<6, 4, 4>(wave(96)), mesh);
  auto const y = ts::device_put<ts::P<dp>>(ts::host<6, 5, 4>(wave(120, 1)), mesh);
  auto const base = ts::device_put<ts::P<dp>>(ts::host<6, 4, 4>(wave(96, 2)), mesh);
  auto const f = [](auto a, auto b, auto c, auto d) { return ts::vmap(call{})(a, b, c, d); };
  auto const want = all(6, [](auto b) { return one(b, b, b, b); });
  auto const got = ts::jit(f)(t, x, y, base);
  static_assert(ts::type_text<std::tuple_element_t<0, std::remove_const_t<decltype(got)>>> == "float32[6@dp,4,4]");
  static_assert(ts::comm_of<decltype(f), decltype(t), decltype(x), decltype(y), decltype(base)>.bytes() == 0);
  expect_both(got, want);
  expect_both(ts::vmap(call{})(t, x, y, base), want);
  auto const shared = ts::device_put<ts::P<>>(ts::host<5, 4>(wave(20, 1)), mesh);
  auto const begin = ts::device_put<ts::P<>>(ts::host<4, 4>(wave(16, 2)), mesh);
  auto const table = ts::device_put<ts::P<>>(ts::host<2, 3>(rows(1)), mesh);
  expect_both(ts::jit([](auto a, auto b, auto c, auto d) {
                return ts::vmap<ts::in_axes<0, ts::unmapped, ts::unmapped, ts::unmapped>>(call{})(a, b, c, d);
              })(t, ts::device_put<ts::P<>>(ts::host<4, 4>(wave(16)), mesh), shared, begin),
              all(6, [](auto b) { return one(b, 0, 0, 0); }));
  auto const whole_table = ts::jit([](auto a, auto b, auto c, auto d) {
    return ts::vmap<ts::in_axes<ts::unmapped, 0, 0, ts::unmapped>>(call{})(a, b, c, d);
  })(table, x, y, begin);
  expect_both(whole_table, all(6, [](auto b) { return one(0, b, b, 0); }));
}
TEST(kernel_vmap, of_two_split_batches) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const t = ts::device_put<ts::P<dp>>(ts::host<2, 2, 3>(rows(2)), mesh);
  auto const x = ts::device_put<ts::P<mp>>(ts::host<3, 4, 4>(wave(48)), mesh);
  auto const y = ts::device_put<ts::P<dp, mp>>(ts::host<2, 3, 5, 4>(wave(120, 1)), mesh);
  auto const base = ts::device_put<ts::P<>>(ts::host<4, 4>(wave(16, 2)), mesh);
  auto const want = all(6, [](auto b) { return one(b / 3, b % 3, b, 0); });
  auto const got = ts::jit(pairs{})(t, x, y, base);
  static_assert(ts::type_text<std::tuple_element_t<0, std::remove_const_t<decltype(got)>>> == "float32[2@dp,3@mp,4,4]");
  expect_both(got, want);
  expect_both(pairs{}(t, x, y, base), want);
}
// Over Auto axes, in shard_map, and by a named axis.
using autos = ts::mesh<ts::auto_axis<dp, 2>, ts::auto_axis<mp, 3>>;
TEST(kernel_vmap, over_other_axes) {
  auto const f = [](auto a, auto b, auto c, auto d) { return ts::vmap(call{})(a, b, c, d); };
  auto const want = all(6, [](auto b) { return one(b, b, b, b); });
  {
    auto const mesh = ts::make_mesh<autos>(ts::devices());
    expect_both(ts::jit(f)(ts::device_put<ts::P<dp>>(ts::host<6, 2, 3>(rows(6)), mesh),
                           ts::device_put<ts::P<dp>>(ts::host<6, 4, 4>(wave(96)), mesh),
                           ts::device_put<ts::P<mp>>(ts::host<6, 5, 4>(wave(120, 1)), mesh),
                           ts::device_put<ts::P<>>(ts::host<6, 4, 4>(wave(96, 2)), mesh)),
                want);
  }
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  expect_both(
      ts::jit([](auto... a) {
        return ts::shard_map<ts::in_specs<ts::P<mp>, ts::P<mp>, ts::P<mp>, ts::P<mp>>, ts::out_specs<ts::P<mp>>>(
            [](auto... b) { return ts::vmap(call{})(b...); })(a...);
      })(ts::device_put<ts::P<mp>>(ts::host<6, 2, 3>(rows(6)), mesh),
         ts::device_put<ts::P<mp>>(ts::host<6, 4, 4>(wave(96)), mesh),
         ts::device_put<ts::P<mp>>(ts::host<6, 5, 4>(wave(120, 1)), mesh),
         ts::device_put<ts::P<mp>>(ts::host<6, 4, 4>(wave(96, 2)), mesh)),
      want);
}
struct batch : ts::axis {};
TEST(kernel_vmap, by_a_named_axis) {
  auto const f = [](auto t, auto x, auto y, auto base) {
    return ts::vmap<ts::axis_names<batch>, ts::out_axes<0>>([](auto a, auto b, auto c, auto d) {
      auto const [z, ids] = gathered(a, b, c, d);
      return std::tuple{z - ts::pmean<batch>(z), ids};
    })(t, x, y, base);
  };
  auto want = all(6, [](auto b) { return one(b, b, b, b); });
  for (std::size_t i = 0; i < 16; ++i) {
    double mean = 0;
    for (std::size_t b = 0; b < 6; ++b) mean += want[16 * b + i] / 6;
    for (std::size_t b = 0; b < 6; ++b) want[16 * b + i] -= mean;
  }
  expect_both(ts::jit(f)(tables(), xs(), ys(), bases()), want);
}
#endif

}  // namespace
