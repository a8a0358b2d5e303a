// SPDX-License-Identifier: Apache-2.0
// Settings in angle brackets, those of other functions, collectives by numbers, elements that are assigned to, rules that
// are missing.

#include <tessera/tessera.hpp>

#include <functional>
#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto body = [](auto s, auto r) { return std::pair(s + r, r); };
constexpr auto pair = [](auto a) { return std::tuple(ts::sum(a), a); };

int main() {
  auto const x = ts::zeros<float, 4, 4>();
  auto const v = ts::zeros<float, 4>();
  auto const split = ts::device_put<ts::P<dp>>(ts::host<8, 4>(std::vector<float>(32)), ts::make_mesh<line>());
#if TESSERA_MISUSE == 1
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::sum<0, ts::keepdims>(x);
#elif TESSERA_MISUSE == 2
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::max<ts::keepdims>(x);
#elif TESSERA_MISUSE == 3
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::logsumexp<1, ts::keepdims>(x);
#elif TESSERA_MISUSE == 4
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::sort<ts::descending>(x);
#elif TESSERA_MISUSE == 5
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::argsort<0, ts::descending>(x);
#elif TESSERA_MISUSE == 6
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::cumsum<0, ts::reverse>(x);
#elif TESSERA_MISUSE == 7
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::scan<ts::reverse>(body, v, x);
#elif TESSERA_MISUSE == 8
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::associative_scan<0, ts::reverse>(std::plus<>{}, x);
#elif TESSERA_MISUSE == 9
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::grad<ts::has_aux>(pair)(x);
#elif TESSERA_MISUSE == 10
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::value_and_grad<ts::has_aux>(pair)(x);
#elif TESSERA_MISUSE == 11
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::meshgrid<ts::by_matrix>(v, v);
#elif TESSERA_MISUSE == 12
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::searchsorted<ts::after_equals>(v, v);
#elif TESSERA_MISUSE == 13
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::slice<ts::starts<1, 0>, ts::limits<4, 2>>(x);
#elif TESSERA_MISUSE == 14
  // expect: settings stand behind the values, not in angle brackets.
  (void)ts::jit([](auto a) { return ts::sum<0, ts::keepdims>(a); })(x);
#elif TESSERA_MISUSE == 15
  // expect: the function does not have this setting.
  (void)ts::sort(x, ts::reverse);
#elif TESSERA_MISUSE == 16
  // expect: the function does not have this setting.
  (void)ts::cumsum<0>(x, ts::keepdims);
#elif TESSERA_MISUSE == 17
  // expect: the function does not have this setting.
  (void)ts::sum<0>(x, ts::reverse);
#elif TESSERA_MISUSE == 18
  // expect: the function does not have this setting.
  (void)ts::argmax<0>(x, ts::descending);
#elif TESSERA_MISUSE == 19
  // expect: the function does not have this setting.
  (void)ts::jit([](auto a) { return ts::sort(a, ts::keepdims); })(x);
#elif TESSERA_MISUSE == 20
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
      [](auto y) { return ts::all_gather<dp>(y, 0); }))(split);
#elif TESSERA_MISUSE == 21
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
      [](auto y) { return ts::all_gather<dp, 0>(y); }))(split);
#elif TESSERA_MISUSE == 22
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
      [](auto y) { return ts::psum_scatter<dp>(y, 0); }))(split);
#elif TESSERA_MISUSE == 23
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
      [](auto y) { return ts::all_to_all<dp>(y, 0, 1); }))(split);
#elif TESSERA_MISUSE == 24
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto y) {
    return ts::ppermute<dp>(y, {{0, 1}, {1, 2}});
  }))(split);
#elif TESSERA_MISUSE == 25
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto y) {
    return ts::ppermute<dp>(y, {{0, 1}});
  }))(split);
#elif TESSERA_MISUSE == 26
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
      [](auto y) { return ts::ppermute<dp, ts::rotate<1>>(y); }))(split);
#elif TESSERA_MISUSE == 27
  // expect: what a collective does stands behind the value, as a type.
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto y) {
    return ts::pshuffle<dp>(y, {1, 0, 2, 3});
  }))(split);
#elif TESSERA_MISUSE == 28
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  x.at(0) = 5.f;
#elif TESSERA_MISUSE == 29
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  x.at(0) += 5.f;
#elif TESSERA_MISUSE == 30
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  (void)ts::jit([](auto a) {
    a.at(0) = 1.f;
    return a;
  })(x);
#elif TESSERA_MISUSE == 31
  // expect: arrays do not change, x.at(i) = v writes nowhere.
  (void)ts::jit([](auto a) {
    a.at(0, 1) *= a;
    return a;
  })(x);
#elif TESSERA_MISUSE == 32
  // expect: the rules of derivatives stand behind their function.
  (void)ts::custom_vjp(body)(x);
#elif TESSERA_MISUSE == 33
  // expect: the rules of derivatives stand behind their function.
  (void)ts::custom_vjp(body, body)(x);
#elif TESSERA_MISUSE == 34
  // expect: the rules of derivatives stand behind their function.
  (void)ts::custom_jvp(body)(x);
#else
  (void)ts::scan(body, v, x, ts::reverse);
  (void)split;
  (void)ts::cumsum<0>(x, ts::reversed);
  (void)ts::sum<0>(x, ts::keepdims);
  (void)ts::slice(x, ts::starts<1, 0>, ts::limits<4, 2>);
#endif
}
