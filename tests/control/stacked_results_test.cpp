// SPDX-License-Identifier: Apache-2.0
// What a scan stacks is computed where the stack lies, whatever computes it: a product seen in another shape, loops and
// branches within loops and branches, messages among them. Compared with the same program on one device.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct reshaped_product {
  constexpr auto operator()(auto c, auto s) const { return ts::reshape<4, 2, 16>(ts::matmul(c, s)); }
};
struct carried_by_fori {
  constexpr auto operator()(auto c, auto) const {
    return ts::fori_loop(
        0, 2, [](auto, auto a) { return ts::tanh(a); }, c);
  }
};
struct last_of_scan {
  constexpr auto operator()(auto c, auto) const {
    return std::get<0>(ts::scan<3>([](auto a) { return std::make_tuple(ts::sin(a), a * 2.0f); }, c));
  }
};
struct stack_of_scan {
  constexpr auto operator()(auto c, auto) const {
    return std::get<1>(ts::scan<3>([](auto a) { return std::make_tuple(ts::sin(a), a * 2.0f); }, c));
  }
};
struct chosen {
  constexpr auto operator()(auto c, auto) const {
    return ts::cond(
        ts::sum(c) > 0.0f, [](auto a) { return a * 2.0f; }, [](auto a) { return a - 1.0f; }, c);
  }
};
struct loop_in_branch {
  constexpr auto operator()(auto c, auto) const {
    auto const turned = [](auto a) {
      return ts::fori_loop(
          0, 2, [](auto, auto b) { return ts::tanh(b); }, a);
    };
    return ts::cond(
        ts::sum(c) > -1e9f, turned, [](auto a) { return a - 1.0f; }, c);
  }
};
struct branch_in_branch {
  constexpr auto operator()(auto c, auto) const {
    auto const inner = [](auto a) {
      return ts::cond(
          ts::sum(a) > 0.0f, [](auto b) { return b * 3.0f; }, [](auto b) { return b - 2.0f; }, a);
    };
    return ts::cond(
        ts::sum(c) > -1e9f, inner, [](auto a) { return a - 1.0f; }, c);
  }
};
struct message_in_branch {
  constexpr auto operator()(auto c, auto s) const {
    return ts::remat([](auto a, auto b) { return ts::sum<0>(a) + ts::sum<0>(b); })(c, s);
  }
};
struct gathered_in_branch {
  constexpr auto operator()(auto c, auto s) const {
    auto const rows = [](auto a, auto b) { return ts::matmul(ts::transpose<>(a), ts::matmul(a, b)); };
    return ts::remat(rows)(c, s);
  }
};

template <class What>
struct stacked {
  constexpr auto operator()(auto x, auto w) const {
    auto const turn = [](auto c, auto s) { return std::make_tuple(c + 0.125f, What{}(c, s)); };
    return std::get<1>(ts::scan(turn, x, w));
  }
};

template <class What, class X, class W>
void agrees(std::vector<float> const& x, std::vector<float> const& w) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const want = ts::jit<stacked<What>>(ts::device_put(ts::host<8, 16>(x)), ts::device_put(ts::host<3, 16, 16>(w)));
  auto const got = ts::jit<stacked<What>>(ts::device_put<X>(ts::host<8, 16>(x), mesh),
                                          ts::device_put<W>(ts::host<3, 16, 16>(w), mesh));
  auto const a = got.to_host(), b = want.to_host();
  for (std::int64_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(a.data()[i], b.data()[i], 1e-4f * (1 + std::fabs(b.data()[i])))
        << i << " of " << ts::type_text<decltype(got)>;
}

template <class What>
class stacked_results : public testing::Test {};
using all = testing::Types<reshaped_product, carried_by_fori, last_of_scan, stack_of_scan, chosen, loop_in_branch,
                           branch_in_branch, message_in_branch>;
TYPED_TEST_SUITE(stacked_results, all);

std::vector<float> numbers(std::size_t count) {
  std::vector<float> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = 0.05f * (static_cast<float>((i * 7 + 3) % 11) - 5);
  return v;
}

TYPED_TEST(stacked_results, lie_where_the_stack_has_them) {
  auto const x = numbers(8 * 16), w = numbers(3 * 16 * 16);
  agrees<TypeParam, ts::P<dp>, ts::P<ts::none, ts::none, mp>>(x, w);
  agrees<TypeParam, ts::P<dp>, ts::P<>>(x, w);
}
TEST(stacked_results_over_one_axis, products_in_a_branch) {
  auto const x = numbers(8 * 16), w = numbers(3 * 16 * 16);
  agrees<gathered_in_branch, ts::P<>, ts::P<ts::none, ts::none, mp>>(x, w);
  agrees<gathered_in_branch, ts::P<>, ts::P<ts::none, ts::none, ts::axes<dp, mp>>>(x, w);
}

}  // namespace
