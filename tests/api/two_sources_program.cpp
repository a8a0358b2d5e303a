// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with OTHER a literal, a parameter of an operation or a number that is passed is another one. two_sources.py runs both as
// ranks of one job.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace ts = tessera;

#ifdef OTHER
#define ONE_OF(mine, others) others
#else
#define ONE_OF(mine, others) mine
#endif

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv, 2};
  std::string const how = argc > 1 ? argv[1] : "";
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4, 6>(std::vector<float>(24, 0.5f)), mesh);
  auto const print = [](auto const& number) { std::printf("%g\n", static_cast<double>(number.item())); };
  try {
    if (how == "literal") print(ts::jit([](auto v) { return ts::sum(v * ONE_OF(2.0f, 3.0f)); })(x));
    if (how == "whole") print(ts::jit([](auto v) { return ts::sum(v + ONE_OF(2, 3)); })(x));
    if (how == "parameter") print(ts::jit([](auto v) { return ts::sum(v * ts::roll<ONE_OF(1, 2), 1>(v)); })(x));
    if (how == "eager") print(ts::sum(x * ONE_OF(2.0f, 3.0f)));
    if (how == "given") print(ts::jit([](auto v, auto y) { return ts::sum(v * y); })(x, ONE_OF(2.0f, 3.0f)));
    if (how == "same") print(ts::jit([](auto v) { return ts::sum(v * 2.0f); })(x));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
