// SPDX-License-Identifier: Apache-2.0
#pragma once
// MAPPED(name, expression of x): a test that vmap of it is itself, called on one slice after the other, in three layouts
// of the batch. Slices have the shape (4, 6). Interpreted, not compiled.

#include "support/on_grid.hpp"

#include <string>

namespace on_grid {

constexpr std::int64_t batch = 8;

template <class F>
struct mapped {
  constexpr auto operator()(auto x) const { return ts::vmap(F{})(x); }
};

// x[8, E...] over its slices, laid out as S, an S with one entry more than the slices have.
template <class F, class S, std::int64_t... E>
void over_slices(std::string const& what) {
  SCOPED_TRACE(what);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  constexpr std::size_t each = static_cast<std::size_t>((E * ... * 1));
  auto values = wave(each * batch, 1);
  for (double& v : values) v += 1.1;
  auto const got = run<mapped<F>>(ts::device_put<S>(ts::host<batch, E...>(values), mesh));
  std::vector<double> want;
  for (std::size_t k = 0; k < batch; ++k) {
    std::vector<double> const slice(values.begin() + static_cast<std::ptrdiff_t>(k * each),
                                    values.begin() + static_cast<std::ptrdiff_t>((k + 1) * each));
    auto const one = ts::astype<double>(run<F>(ts::device_put(ts::host<E...>(slice)))).to_host();
    want.insert(want.end(), one.begin(), one.end());
  }
  auto const all = ts::astype<double>(got).to_host();
  ASSERT_EQ(all.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(all[i], want[i], 1e-10) << i;
}

#define MAPPED(name, ...)                                                            \
  struct name##_f {                                                                  \
    constexpr auto operator()([[maybe_unused]] auto x) const { return __VA_ARGS__; } \
  };                                                                                 \
  TEST(vmap, name) {                                                                 \
    over_slices<name##_f, ts::P<>, 4, 6>("nothing is split");                        \
    over_slices<name##_f, ts::P<dp>, 4, 6>("the batch is split");                    \
    over_slices<name##_f, ts::P<ts::axes<mp, dp>>, 4, 6>("over both axes");          \
  }

}  // namespace on_grid
