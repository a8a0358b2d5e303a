// SPDX-License-Identifier: Apache-2.0
// W1: gelu(x a + b) c + x, one fused pass, on 4 x 2 devices. W8: the same over 1 to 64 devices, the total fixed.
// ctest: W1.*n=256

#include "support/cases.hpp"

using namespace cases;

namespace {

struct chain {
  constexpr auto operator()(auto x, auto a, auto b, auto c) const { return ts::gelu(x * a + b) * c + x; }
};

double chain_of(double x, double a, double b, double c) { return gelu_of(x * a + b) * c + x; }

// a, b, c: one row each (vector), or as large as x (array).
template <std::int64_t N, bool Vector, class M>
struct chain_case {
  std::vector<float> const& host_x = noises(0, N* N);
  std::vector<float> const* operand[3];

  chain_case() {
    for (std::uint64_t k = 0; k < 3; ++k) operand[k] = &noises(k + 1, Vector ? N : N * N);
  }
  auto beside(std::vector<float> const& values) const {
    if constexpr (Vector)
      return put<ts::P<mp>, M, N>(values);
    else
      return put<ts::P<dp, mp>, M, N, N>(values);
  }
  template <class Use>
  void with(Use&& use) const {
    auto const x = put<ts::P<dp, mp>, M, N, N>(host_x);
    auto const a = beside(*operand[0]), b = beside(*operand[1]), c = beside(*operand[2]);
    use([&] { return ts::jit<chain>(x, a, b, c); });
  }
  double wrong(std::vector<float> const& got) const {
    difference d;
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (N > 1024 && k % 7 && k % N) continue;
      std::size_t const q = Vector ? k % N : k;
      d.add(got[k], chain_of(host_x[k], (*operand[0])[q], (*operand[1])[q], (*operand[2])[q]));
    }
    return d.relative();
  }
};

template <std::int64_t N, bool Vector, class M>
void elementwise(benchmark::State& state, std::string const& name) {
  chain_case<N, Vector, M> const one;
  one.with([&](auto const& call) {
    measure(
        state, name, 1e-5, [&] { call().block_until_ready(); }, [&] { return one.wrong(call().to_host()); });
  });
}
template <std::int64_t N, bool Vector, class M>
void steady(benchmark::State& state, std::string const&) {
  chain_case<N, Vector, M> const one;
  one.with([&](auto const& call) { count_warm(state, [&] { call().block_until_ready(); }); });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 64, [] {
    add("W1.elementwise n=256 abc=vector", elementwise<256, true, grid<4, 2>>);
    add("W1.elementwise n=256 abc=array", elementwise<256, false, grid<4, 2>>);
    add("W1.elementwise n=4096 abc=vector", elementwise<4096, true, grid<4, 2>>);
    add("W1.elementwise n=4096 abc=array", elementwise<4096, false, grid<4, 2>>);
    add_count("steady.W1 n=256 abc=vector", steady<256, true, grid<4, 2>>);
    add_count("steady.W1 n=1024 abc=vector", steady<1024, true, grid<4, 2>>);
    add_count("steady.W1 n=4096 abc=vector", steady<4096, true, grid<4, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=1", elementwise<4096, true, grid<1, 1>>);
    add("W8.elementwise n=4096 abc=vector devices=2", elementwise<4096, true, grid<1, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=4", elementwise<4096, true, grid<2, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=8", elementwise<4096, true, grid<4, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=16", elementwise<4096, true, grid<8, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=32", elementwise<4096, true, grid<16, 2>>);
    add("W8.elementwise n=4096 abc=vector devices=64", elementwise<4096, true, grid<32, 2>>);
  });
}
