// SPDX-License-Identifier: Apache-2.0
// nightly
// W2: Fourier transforms of rows and of columns, each on its device or all on one.
// ctest: W2.fft

#include "support/cases.hpp"

using namespace cases;

namespace {

struct of_rows {
  constexpr auto operator()(auto x) const { return ts::rfft(x); }
};
struct of_columns {
  constexpr auto operator()(auto x) const { return ts::fft<0>(x); }
};

// The sums themselves at some frequencies of some lines: element k of a line is line[k * step].
void add_sums(difference& d, std::vector<ts::complex64> const& got, std::vector<float> const& x, std::size_t n,
              std::size_t frequencies, std::size_t lines, bool rows) {
  for (std::size_t i = 0; i < lines; i += 51)
    for (std::size_t k = 0; k < frequencies; k += 97) {
      double re = 0, im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        double const turn = -6.283185307179586 * double(j * k % n) / double(n), v = x[rows ? i * n + j : j * lines + i];
        re += v * std::cos(turn), im += v * std::sin(turn);
      }
      auto const z = got[rows ? i * frequencies + k : k * lines + i];
      d.add(z.re, re);
      d.add(z.im, im);
    }
}

template <class S, class M>
void rows(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 4096, lines = 256;
  auto const& host = noises(5, lines * n);
  auto const x = put<S, M, lines, n>(host);
  measure(
      state, name, 1e-4, [&] { ts::jit<of_rows>(x).block_until_ready(); },
      [&] {
        difference d;
        add_sums(d, ts::jit<of_rows>(x).to_host(), host, n, n / 2 + 1, lines, true);
        return d.relative();
      });
}
void columns(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 1000, lines = 256;
  auto const& host = noises(6, lines * n);
  auto const x = put<ts::P<>, grid<1, 1>, n, lines>(host);
  measure(
      state, name, 1e-4, [&] { ts::jit<of_columns>(x).block_until_ready(); },
      [&] {
        difference d;
        add_sums(d, ts::jit<of_columns>(x).to_host(), host, n, n, lines, false);
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("W2.rfft n=4096 rows=256 devices=8", rows<ts::P<ts::axes<dp, mp>, ts::none>, grid<4, 2>>);
    add("W2.rfft n=4096 rows=256 devices=1", rows<ts::P<>, grid<1, 1>>);
    add("W2.fft n=1000 columns=256 devices=1", columns);
  });
}
