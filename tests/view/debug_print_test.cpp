// SPDX-License-Identifier: Apache-2.0
// debug_print: what is written, how often, in what order, with no result used.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <sstream>
#include <thread>
#include <tuple>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

template <class S, std::int64_t... E>
auto put() {
  std::vector<float> v(static_cast<std::size_t>((E * ...)));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  return ts::device_put<S>(ts::host<E...>(v), ts::make_mesh<grid>(ts::devices()));
}
template <class F>
std::string printed(F const& f) {
  std::ostringstream out;
  ts::print_to const here(out);
  f();
  return out.str();
}

TEST(debug_print, of_arrays_at_once) {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<3>(std::vector<float>{1, 2.5f, -3}), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(printed([&] { ts::debug_print<"x = {}">(x); }), "x = [ 1.   2.5 -3. ]\n");
  EXPECT_EQ(printed([&] { ts::debug_print<"{1} after {0} in {{}}">(x, 7); }), "7 after [ 1.   2.5 -3. ] in {}\n");
  auto const split = put<ts::P<dp, mp>, 2, 2>();
  EXPECT_EQ(printed([&] { ts::debug_print<"{}: {}">(ts::sum(split), split); }), "6.0: [[0. 1.]\n [2. 3.]]\n");
  EXPECT_EQ(printed([&] { ts::debug_print<"{} {}">(split > 1, ts::astype<int>(split)); }),
            "[[False False]\n [ True  True]] [[0 1]\n [2 3]]\n");
  EXPECT_EQ(printed([&] { ts::debug_print<"{7}{6}{5}{4}{3}{2}{1} of {0}">(x, 1, 2, 3, 4, 5, 6, 7); }),
            "7654321 of [ 1.   2.5 -3. ]\n");
}

// Streams come and go on other threads while a program prints.
TEST(print_to, on_several_threads) {
  auto const x = ts::device_put<ts::P<>>(ts::host<2>(std::vector<float>{1, 2}), ts::make_mesh<grid>(ts::devices()));
  std::ostringstream outer;
  {
    ts::print_to const here(outer);
    std::atomic<bool> done = false;
    std::atomic<int> started = 0;
    std::ostringstream theirs[2];
    std::vector<std::thread> threads;
    for (auto& out : theirs)
      threads.emplace_back([&] {
        for (++started; !done;) ts::print_to const there(out);
      });
    while (started < 2) std::this_thread::yield();
    for (int i = 0; i < 50; ++i) ts::debug_print<"{}">(x);
    done = true;
    for (auto& thread : threads) thread.join();
    std::size_t lines = 0;
    for (auto const& text : {outer.str(), theirs[0].str(), theirs[1].str()})
      lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(lines, 50u);
    EXPECT_EQ(printed([&] { ts::debug_print<"{}">(x); }), "[1. 2.]\n");
    outer.str("");
    ts::debug_print<"{}">(x);
  }
  EXPECT_EQ(outer.str(), "[1. 2.]\n");
}
// Whichever goes first, what is left is written to.
TEST(print_to, ends_in_any_order) {
  auto const x = ts::device_put<ts::P<>>(ts::host<1>(std::vector<float>{1}), ts::make_mesh<grid>(ts::devices()));
  std::ostringstream first, second;
  auto older = std::make_unique<ts::print_to>(first);
  auto const younger = std::make_unique<ts::print_to>(second);
  older.reset();
  ts::debug_print<"{}">(x);
  EXPECT_EQ(first.str(), "");
  EXPECT_EQ(second.str(), "[1.]\n");
}

constexpr auto prints_once = [](auto x) {
  ts::debug_print<"before: {}">(ts::sum(x));
  auto const y = 2 * x;
  ts::debug_print<"after: {}">(y);
  return y;
};
TEST(debug_print, in_a_jitted_function) {
  auto const x = put<ts::P<ts::axes<dp, mp>>, 4>();
  auto const f = ts::jit(prints_once);
  std::string const want = "before: 6.0\nafter: [0. 2. 4. 6.]\n";
  EXPECT_EQ(printed([&] { (void)f(x); }), want);
  EXPECT_EQ(printed([&] { (void)f(x), (void)f(x); }), want + want);
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(prints_once)>, decltype(x)>;
  static_assert(cost.count(ts::collective::all_reduce) == 1 && cost.count(ts::collective::all_gather) == 1);
}

// The line that says whose block it is.
std::string on(int id, std::string const& coordinates, std::string const& axes = "(dp, mp)") {
  return "On " + ts::to_string(ts::devices()[id]) + " at mesh coordinates " + axes + " = " + coordinates + ":\n";
}
constexpr auto prints_its_block = [](auto v) {
  ts::debug_print<"{} has {}">(ts::axis_index<dp, mp>(v), v);
  auto const sum = ts::psum<mp>(v);
  ts::debug_print<"sum {}">(sum);
  return sum;
};
TEST(debug_print, for_each_device_which_is_named) {
  auto const x = put<ts::P<dp, mp>, 2, 4>();
  auto const f = ts::shard_map<ts::out_specs<ts::P<dp>>>(prints_its_block);
  EXPECT_EQ(printed([&] { (void)f(x); }),
            on(0, "(0, 0)") + "0 has [[0. 1.]]\n" + on(1, "(0, 1)") + "1 has [[2. 3.]]\n" + on(2, "(1, 0)") +
                "2 has [[4. 5.]]\n" + on(3, "(1, 1)") + "3 has [[6. 7.]]\n" + on(0, "(0, 0)") + "sum [[2. 4.]]\n" +
                on(1, "(0, 1)") + "sum [[2. 4.]]\n" + on(2, "(1, 0)") + "sum [[10. 12.]]\n" + on(3, "(1, 1)") +
                "sum [[10. 12.]]\n");
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(f)>, decltype(x)>;
  static_assert(cost.count() == 1);
}
// By its number among the devices, wherever in the mesh it stands.
TEST(debug_print, devices_in_another_order) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), ts::device_order{{3, 2, 1, 0}});
  auto const x = ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::arange<int, 4>(), mesh);
  auto const f = ts::shard_map<ts::out_specs<ts::P<ts::axes<dp, mp>>>>([](auto v) {
    ts::debug_print<"{}">(v);
    return v;
  });
  EXPECT_EQ(printed([&] { (void)f(x); }), on(3, "(0, 0)") + "[0]\n" + on(2, "(0, 1)") + "[1]\n" + on(1, "(1, 0)") +
                                              "[2]\n" + on(0, "(1, 1)") + "[3]\n");
}
// Types are the same on all devices: printed once, and nothing moves for it.
constexpr auto prints_types = [](auto x) {
  ts::debug_print<"sin(x): {:type}">(ts::sin(x));
  return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto v) {
    auto const sum = ts::psum<mp>(v);
    ts::debug_print<"{1:type} -> {0:type}, {{}}">(sum, v);
    return sum;
  })(x);
};
constexpr auto prints_a_type_and_a_value = [](auto x) {
  ts::debug_print<"{0:type} {0} {1:type} {2}">(ts::sum(x), x, 7);
  return x;
};
TEST(debug_print, of_types) {
  auto const x = put<ts::P<dp, mp>, 2, 4>();
  EXPECT_EQ(printed([&] { (void)ts::jit(prints_types)(x); }),
            "sin(x): float32[2@dp,4@mp]\nfloat32[1,2]{V:(dp,mp)} -> float32[1,2]{V:dp}, {}\n");
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(prints_types)>, decltype(x)>;
  static_assert(cost.count() == 1);
  EXPECT_EQ(printed([&] { (void)ts::jit(prints_a_type_and_a_value)(x); }), "float32[] 28.0 float32[2@dp,4@mp] 7\n");
  EXPECT_EQ(printed([&] { ts::debug_print<"x: {:type}">(x); }), "x: float32[2@dp,4@mp]\n");
}

#ifndef TESSERA_BY_DAY
// Over one axis only: a line for each device along it, with all of the other one.
TEST(debug_print, over_some_axes) {
  auto const x = put<ts::P<dp, mp>, 2, 4>();
  auto const f = ts::jit([](auto y) {
    return ts::shard_map<ts::out_specs<ts::P<dp>>, ts::axis_names<dp>>([](auto v) {
      ts::debug_print<"{}">(v);
      return v;
    })(y);
  });
  EXPECT_EQ(printed([&] { (void)f(x); }),
            on(0, "(0,)", "(dp,)") + "[[0. 1. 2. 3.]]\n" + on(2, "(1,)", "(dp,)") + "[[4. 5. 6. 7.]]\n");
}

constexpr auto in_loops = [](auto x) {
  auto const [sum, all] = ts::scan(
      [](auto s, auto row) {
        ts::debug_print<"s = {}">(s);
        return std::tuple{s + ts::sum(row), row};
      },
      ts::zeros_like(ts::sum(x)), x);
  ts::debug_print<"end {}">(sum);
  return all;
};
constexpr auto loop_for_its_print = [](auto x) {
  (void)ts::fori_loop(
      0, 2,
      [](auto i, auto y) {
        ts::debug_print<"turn {}">(i);
        return ts::fori_loop(
            0, 2,
            [](auto j, auto z) {
              ts::debug_print<"  {}">(j);
              return z + 1;
            },
            y);
      },
      x);
  return x + 1;
};
TEST(debug_print, in_loops) {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<3, 2>(std::vector<float>{0, 1, 2, 3, 4, 5}), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(printed([&] { (void)ts::jit(in_loops)(x); }), "s = 0.0\ns = 1.0\ns = 6.0\nend 15.0\n");
  EXPECT_EQ(printed([&] { (void)ts::jit(loop_for_its_print)(x); }), "turn 0\n  0\n  1\nturn 1\n  0\n  1\n");
}
// Sizes that are known only now bring a program that is recorded now.
TEST(debug_print, of_sizes_known_when_it_runs) {
  std::vector<float> const values{0, 1, 2, 3, 4, 5};
  auto const x = ts::device_put(ts::host(values, {3, 2}));
  EXPECT_EQ(printed([&] { (void)ts::jit(prints_once)(x); }),
            "before: 15.0\nafter: [[ 0.  2.]\n [ 4.  6.]\n [ 8. 10.]]\n");
  EXPECT_EQ(printed([&] { (void)ts::jit(loop_for_its_print)(x); }), "turn 0\n  0\n  1\nturn 1\n  0\n  1\n");
}
constexpr auto squares = [](auto x) {
  ts::debug_print<"in {}">(x);
  auto const y = ts::cond(
      true,
      [](auto v) {
        ts::debug_print<"chosen {}">(v);
        return v * v;
      },
      [](auto v) { return v; }, x);
  return ts::sum(y * y);
};
TEST(debug_print, once_in_a_gradient) {
  auto const x = ts::device_put<ts::P<>>(ts::host<2>(std::vector<float>{1, 2}), ts::make_mesh<grid>(ts::devices()));
  std::vector<float> slope;
  EXPECT_EQ(printed([&] { slope = ts::grad(squares)(x).to_host(); }), "in [1. 2.]\nchosen [1. 2.]\n");
  EXPECT_EQ(slope, (std::vector<float>{4, 32}));
}

TEST(debug_print, of_each_element_of_a_batch) {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<2, 2>(std::vector<float>{1, 2, 3, 4}), ts::make_mesh<grid>(ts::devices()));
  auto const f = ts::jit([](auto y) {
    return ts::vmap([](auto row) {
      ts::debug_print<"{} of {}">(ts::sum(row), row);
      auto const [a, b] = std::tuple{ts::optimization_barrier(row, ts::sum(row)), row};
      return a + b;
    })(y);
  });
  std::vector<float> twice;
  EXPECT_EQ(printed([&] { twice = f(x).to_host(); }), "3.0 of [1. 2.]\n7.0 of [3. 4.]\n");
  EXPECT_EQ(twice, (std::vector<float>{2, 4, 6, 8}));
}

TEST(debug_print, in_gradients_of_a_batch) {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<2, 2>(std::vector<float>{1, 2, 0, 3}), ts::make_mesh<grid>(ts::devices()));
  auto const f = ts::jit([](auto y) { return ts::vmap([](auto row) { return ts::grad(squares)(row); })(y); });
  std::vector<float> slopes;
  EXPECT_EQ(printed([&] { slopes = f(x).to_host(); }), "in [1. 2.]\nin [0. 3.]\nchosen [1. 2.]\nchosen [0. 3.]\n");
  EXPECT_EQ(slopes, (std::vector<float>{4, 32, 0, 108}));
}

static_assert(ts::detail::is_format("a {} b {{{}}}", 2));
static_assert(ts::detail::is_format("{:type} {1} {1:type}", 2));
static_assert(!ts::detail::is_format("{:types}", 1) && !ts::detail::is_format("{:type", 1));
static_assert(!ts::detail::is_format("{} {}", 1));
static_assert(!ts::detail::is_format("{}", 2));
static_assert(!ts::detail::is_format("{", 1) && !ts::detail::is_format("} {}", 1) && !ts::detail::is_format("{:3}", 1));

// The type of a handle, as text: while compiling, and where the program prints it.
TEST(typeof_, of_a_handle) {
  auto const x = put<ts::P<dp, mp>, 4, 6>();
  (void)ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto v) {
    static_assert(ts::typeof_t<decltype(v)>::text() == "float32[2,3]{V:(dp,mp)}");
    return v;
  })(x);
}
#endif

}  // namespace
