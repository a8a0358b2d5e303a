// SPDX-License-Identifier: Apache-2.0
// nightly
// ops: convolutions of images as residual networks have them, and einsum of three operands.
// ctest: ops.conv k=1

#include "support/cases.hpp"

using namespace cases;

namespace {

using one = grid<1, 1>;
using eight = grid<4, 2>;

template <int Stride>
struct convolved {
  constexpr auto operator()(auto x, auto k) const { return ts::conv(x, k, ts::same, ts::strided<Stride, Stride>); }
};

// Images (n, c, size, size), kernels (o, c, k, k), padded as JAX's SAME.
template <class M, int N, int C, int O, int Size, int K, int Stride>
void conv(benchmark::State& state, std::string const& name) {
  auto const &host_x = noises(1, std::size_t{N} * C * Size * Size), &host_k = noises(2, std::size_t{O} * C * K * K);
  auto const x = put<ts::P<ts::axes<dp, mp>>, M, N, C, Size, Size>(host_x);
  auto const k = put<ts::P<>, M, O, C, K, K>(host_k);
  measure(
      state, name, 1e-4, [&] { ts::jit<convolved<Stride>>(x, k).block_until_ready(); },
      [&] {
        constexpr int out = (Size + Stride - 1) / Stride, low = std::max(0, (out - 1) * Stride + K - Size) / 2;
        difference d;
        auto const got = ts::jit<convolved<Stride>>(x, k).to_host();
        for (std::size_t at = 0; at < got.size(); at += 997) {
          int const q = int(at % out), p = int(at / out % out), o = int(at / out / out % O),
                    n = int(at / out / out / O);
          double sum = 0;
          for (int c = 0; c < C; ++c)
            for (int a = 0; a < K; ++a)
              for (int b = 0; b < K; ++b) {
                int const i = p * Stride + a - low, j = q * Stride + b - low;
                if (i < 0 || i >= Size || j < 0 || j >= Size) continue;
                sum += double(host_x[std::size_t(((n * C + c) * Size + i) * Size + j)]) *
                       host_k[std::size_t(((o * C + c) * K + a) * K + b)];
              }
          d.add(got[at], sum);
        }
        return d.relative();
      });
}

struct three {
  constexpr auto operator()(auto a, auto b, auto c) const { return ts::einsum<"bij,bjk,bkl->bil">(a, b, c); }
};

// The last two first: 8 times fewer multiplications than in the order written.
template <class M>
void einsum(benchmark::State& state, std::string const& name) {
  constexpr std::size_t batch = 8, n = 512, few = 64;
  auto const &host_a = noises(3, batch * n * n), &host_b = noises(4, batch * n * n),
             &host_c = noises(5, batch * n * few);
  using s = ts::P<ts::axes<dp, mp>>;
  auto const a = put<s, M, batch, n, n>(host_a);
  auto const b = put<s, M, batch, n, n>(host_b);
  auto const c = put<s, M, batch, n, few>(host_c);
  measure(
      state, name, 1e-4, [&] { ts::jit<three>(a, b, c).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<three>(a, b, c).to_host();
        for (std::size_t at = 0; at < got.size(); at += 4999) {
          std::size_t const l = at % few, row = at / few, block = row / n * n;
          double sum = 0;
          for (std::size_t j = 0; j < n; ++j) {
            double inner = 0;
            for (std::size_t k = 0; k < n; ++k)
              inner += double(host_b[(block + j) * n + k]) * host_c[(block + k) * few + l];
            sum += host_a[row * n + j] * inner;
          }
          d.add(got[at], sum);
        }
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("ops.conv k=3 stride=1 n=32 hw=56 c=64 o=64 devices=1", conv<one, 32, 64, 64, 56, 3, 1>);
    add("ops.conv k=3 stride=1 n=32 hw=56 c=64 o=64 devices=8", conv<eight, 32, 64, 64, 56, 3, 1>);
    add("ops.conv k=3 stride=1 n=32 hw=14 c=256 o=256 devices=1", conv<one, 32, 256, 256, 14, 3, 1>);
    add("ops.conv k=7 stride=2 n=16 hw=224 c=3 o=64 devices=1", conv<one, 16, 3, 64, 224, 7, 2>);
    add("ops.conv k=7 stride=2 n=16 hw=224 c=3 o=64 devices=8", conv<eight, 16, 3, 64, 224, 7, 2>);
    add("ops.conv k=1 stride=1 n=32 hw=28 c=128 o=512 devices=1", conv<one, 32, 128, 512, 28, 1, 1>);
    add("ops.conv k=1 stride=1 n=32 hw=28 c=128 o=512 devices=8", conv<eight, 32, 128, 512, 28, 1, 1>);
    add("ops.einsum bij,bjk,bkl n=512 devices=1", einsum<one>);
    add("ops.einsum bij,bjk,bkl n=512 devices=8", einsum<eight>);
  });
}
