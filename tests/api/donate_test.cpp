// SPDX-License-Identifier: Apache-2.0
// Arguments given as rvalues: their memory becomes a result's where that is safe, and never where somebody may read it.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i);
  return v;
}
template <class S>
auto put() {
  return ts::device_put<S>(ts::host<16, 8>(counted(128)), ts::make_mesh<grid>(ts::devices()));
}
// The same values in memory that nobody else holds.
template <class X>
X twin(X const& x) {
  return ts::jit([](auto v) { return v * 1; })(x);
}
template <class X>
void const* memory(X const& x) {
  return x.addressable_shards()[0].data;
}

constexpr auto descend = [](auto w, auto g) { return w - 0.5f * g; };
constexpr auto mixed = [](auto x) { return ts::matmul(x, ts::reshape<8, 8>(ts::arange<64>()) * 0.5f); };
constexpr auto regrouped = [](auto x) { return ts::reshape<4, 4, 8>(mixed(x)); };
constexpr auto both = [](auto x) { return std::tuple(x + 1, x * 2); };
constexpr auto late = [](auto x) { return std::tuple(x + 1, ts::sum<0>(ts::exp(x))); };
constexpr auto normal = [](auto x) { return ts::softmax(x); };
constexpr auto turned = [](auto x) { return x.T() + ts::reshape<8, 16>(ts::arange<128>()); };

TEST(donate, an_update_is_written_in_place) {
  auto w = put<ts::P<dp, mp>>();
  auto const g = put<ts::P<dp, mp>>();
  void const* const before = memory(w);
  auto updated = ts::jit(descend)(std::move(w), g);
  EXPECT_EQ(memory(updated), before);
  EXPECT_EQ(updated.at(3, 5).get().item(), 29 - 0.5f * 29);
  for (int step = 0; step < 3; ++step) updated = ts::jit(descend)(std::move(updated), g);
  EXPECT_EQ(updated.at(3, 5).get().item(), 29 - 4 * 0.5f * 29);
}

TEST(donate, to_a_function_object_named_in_the_call) {
  auto w = put<ts::P<dp, mp>>();
  auto const g = put<ts::P<dp, mp>>();
  void const* const before = memory(w);
  auto const updated = ts::jit<descend>(std::move(w), g);
  EXPECT_EQ(memory(updated), before);
  EXPECT_EQ(updated.to_host(), ts::jit(descend)(g, g).to_host());
  constexpr auto inside = [](auto x, auto y) { return ts::jit<descend>(x, y); };
  EXPECT_EQ(ts::jit<inside>(g, g).to_host(), updated.to_host());
}

TEST(donate, what_others_hold_is_kept) {
  auto w = put<ts::P<dp, mp>>();
  auto const other = w;
  auto const updated = ts::jit(descend)(std::move(w), other);
  EXPECT_NE(memory(updated), memory(other));
  EXPECT_EQ(other.to_host(), counted(128));
  auto x = put<ts::P<>>();
  auto const values = x.to_host();  // the array's own memory
  ts::jit(descend)(std::move(x), twin(other));
  EXPECT_EQ(values, counted(128));
}

TEST(donate, lvalues_are_not_given) {
  auto const x = put<ts::P<dp>>();
  auto y = twin(x);
  auto const r = ts::jit(descend)(y, x);
  EXPECT_FALSE(y.is_released());
  EXPECT_EQ(y.to_host(), counted(128));
  EXPECT_EQ(r.at(1, 1).get().item(), 4.5f);
}

TEST(donate, a_given_array_cannot_be_read) {
  auto w = put<ts::P<dp, mp>>();
  auto const g = put<ts::P<dp, mp>>();
  ts::jit(descend)(std::move(w), g);
  EXPECT_TRUE(w.is_released());
  auto const text = [](auto const& f) -> std::string {
    try {
      f();
    } catch (std::invalid_argument const& e) {
      return e.what();
    }
    return "";
  };
  for (std::string const& what :
       {text([&] { w.to_host(); }), text([&] { ts::jit(descend)(w, g); }), text([&] { w + g; })}) {
    EXPECT_NE(what.find("tessera: this array has no memory"), std::string::npos) << what;
    EXPECT_NE(what.find("Fix:"), std::string::npos);
  }
}

TEST(donate, a_moved_array_says_so) {
  auto w = put<ts::P<dp, mp>>();
  auto const kept = std::move(w);
  EXPECT_TRUE(w.is_released());
  std::vector<float> out(128);
  EXPECT_THROW(w.copy_to(out), std::invalid_argument);
  EXPECT_THROW(w.to_host(), std::invalid_argument);
  EXPECT_THROW(ts::device_get(w), std::invalid_argument);
  kept.copy_to(out);
  EXPECT_EQ(out, counted(128));
}

// A refusal that is known only at run time leaves the arguments as they were.
TEST(donate, a_refused_call_loses_nothing) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto x = ts::device_put<ts::P<dp>>(ts::host(counted(128), {16, 8}), mesh);
  auto y = ts::device_put<ts::P<dp>>(ts::host(counted(64), {16, 4}), mesh);
  EXPECT_THROW(ts::jit(descend)(std::move(x), std::move(y)), std::exception);
  EXPECT_EQ(x.to_host(), counted(128));
  EXPECT_EQ(y.to_host(), counted(64));
}

// Results that need the argument after the memory would be overwritten, or in another order, get memory of their own.
TEST(donate, results_are_right_where_memory_cannot_be_shared) {
  auto const check = [](auto f, auto x) {
    auto const want = ts::jit(f)(x);
    auto const got = ts::jit(f)(twin(x));
    if constexpr (ts::is_array<std::remove_cvref_t<decltype(got)>>) {
      EXPECT_EQ(got.to_host(), want.to_host());
    } else {
      EXPECT_EQ(std::get<0>(got).to_host(), std::get<0>(want).to_host());
      EXPECT_EQ(std::get<1>(got).to_host(), std::get<1>(want).to_host());
    }
  };
  auto const each_layout = [&](auto f) {
    check(f, put<ts::P<>>());
    check(f, put<ts::P<dp>>());
    check(f, put<ts::P<dp, mp>>());
  };
  each_layout(both);
  each_layout(late);
  each_layout(normal);
  each_layout(turned);
  check(mixed, put<ts::P<>>());
  check(mixed, put<ts::P<dp>>());
  check(regrouped, put<ts::P<>>());
  check(regrouped, put<ts::P<dp>>());
}

TEST(donate, trees_are_given_whole) {
  auto params = std::tuple(put<ts::P<dp>>(), put<ts::P<mp>>());
  void const* const first = memory(std::get<0>(params));
  void const* const second = memory(std::get<1>(params));
  auto const step = ts::jit([](auto p, auto g) { return std::tuple(std::get<0>(p) - g, std::get<1>(p) * 2); });
  params = step(std::move(params), put<ts::P<dp>>());
  EXPECT_EQ(memory(std::get<0>(params)), first);
  EXPECT_EQ(memory(std::get<1>(params)), second);
  EXPECT_EQ(std::get<0>(params).to_host(), std::vector<float>(128, 0.0f));
  EXPECT_EQ(std::get<1>(params).at(0, 3).get().item(), 6.0f);
}

}  // namespace
