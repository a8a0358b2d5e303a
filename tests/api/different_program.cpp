// SPDX-License-Identifier: Apache-2.0
// different_program <how>: processes call the same programs, and the last one then something else. different_programs.py asks
// what all of them say of it.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto sum = [](auto x) { return ts::sum<0>(ts::sin(x)); };
constexpr auto column = [](auto x) { return ts::sum<0>(ts::exp(ts::reshard<ts::P<>>(x) * 2)); };

void work(std::string const& how) {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const array = [&]<std::int64_t Rows>(ts::shape<Rows>) {
    return ts::device_put<ts::P<dp>>(ts::host<Rows, 6>(std::vector<float>(Rows * 6, 0.5f)), mesh);
  };
  auto const x = array(ts::shape<8>{});
  auto const f = ts::jit(sum);
  auto const g = ts::jit(column);
  for (int turn = 0; turn < 3; ++turn) (void)f(x), (void)g(x);
  if (ts::process_index() + 1 == ts::process_count()) {
    if (how == "op") (void)ts::jit([](auto v) { return ts::max<0>(v); })(x);
    if (how == "shape") (void)ts::jit(sum)(array(ts::shape<12>{}));
    if (how == "order") (void)g(x), (void)f(x);
    if (how == "more") (void)f(x);
    if (how == "fewer") return;
    if (how == "mesh") (void)ts::jit(sum)(ts::reshard<ts::P<>>(x));
  }
  (void)f(x), (void)g(x);
  (void)ts::jit([](auto v) { return ts::sum<0>(ts::cos(v)); })(x);
  (void)g(x);
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv, 4};
  try {
    work(argc > 1 ? argv[1] : "");
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
