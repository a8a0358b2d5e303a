// SPDX-License-Identifier: Apache-2.0
#pragma once
// Transforms of z = x + i y for tables: what Tessera computes, and the sums that define it.

#include "support/complex_case.hpp"
#include "support/op_case.hpp"

namespace fft_rows {

using namespace op_case;
using namespace complex_case;
using oracle::tensor;

constexpr auto z_of(auto x, auto y) { return ts::complex(x, y); }

// Of arrays of rank 3 whose last dimension is `N`.
template <std::int64_t N>
inline constexpr auto every_row = std::tuple{
    row{"fft", [](auto x, auto y) { return pair_of(ts::fft(z_of(x, y))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x, y), 2, -1)); }},
    row{"ifft", [](auto x, auto y) { return pair_of(ts::ifft(z_of(x, y))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x, y), 2, 1, 1.0 / N)); }},
    row{"fft ortho", [](auto x, auto y) { return pair_of(ts::fft(z_of(x, y), ts::ortho)); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(numbers_of(x, y), 2, -1, 1 / std::sqrt(double(N))));
        }},
    row{"fft of a real array, forward norm", [](auto x, auto y) { return pair_of(ts::fft(x * y, ts::forward_norm)); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x * y), 2, -1, 1.0 / N)); }},
    row{"fft cut", [](auto x, auto y) { return pair_of(ts::fft<-1, N - 1>(z_of(x, y))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(resized(numbers_of(x, y), 2, N - 1), 2, -1)); }},
    row{"ifft padded", [](auto x, auto y) { return pair_of(ts::ifft<2, N + 3>(z_of(x, y))); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(resized(numbers_of(x, y), 2, N + 3), 2, 1, 1.0 / (N + 3)));
        }},
    row{"rfft", [](auto x, auto y) { return pair_of(ts::rfft(x + y)); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x + y), 2, -1, 1, N / 2 + 1)); }},
    row{"rfft ortho", [](auto x, auto y) { return pair_of(ts::rfft(x + y, ts::ortho)); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(numbers_of(x + y), 2, -1, 1 / std::sqrt(double(N)), N / 2 + 1));
        }},
    row{"rfft padded, forward norm",
        [](auto x, auto y) { return pair_of(ts::rfft<-1, N + 1>(x + y, ts::forward_norm)); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(resized(numbers_of(x + y), 2, N + 1), 2, -1, 1.0 / (N + 1), (N + 1) / 2 + 1));
        }},
    row{"irfft", [](auto x, auto y) { return ts::irfft(z_of(x, y)); },
        [](tensor const& x, tensor const& y) {
          return real_of(dft(mirrored(numbers_of(x, y), 2, 2 * N - 2), 2, 1, 1.0 / (2 * N - 2)));
        }},
    row{"irfft of an odd length", [](auto x, auto y) { return ts::irfft<-1, 2 * N - 1>(z_of(x, y), ts::forward_norm); },
        [](tensor const& x, tensor const& y) { return real_of(dft(mirrored(numbers_of(x, y), 2, 2 * N - 1), 2, 1)); }},
    row{"irfft cut, ortho", [](auto x, auto y) { return ts::irfft<-1, N>(z_of(x, y), ts::ortho); },
        [](tensor const& x, tensor const& y) {
          return real_of(dft(mirrored(resized(numbers_of(x, y), 2, N / 2 + 1), 2, N), 2, 1, 1 / std::sqrt(double(N))));
        }}};

// Of several dimensions: the last two of three are whole.
template <std::int64_t M, std::int64_t N>
inline constexpr auto several = std::tuple{
    row{"fft of dimension 1", [](auto x, auto y) { return pair_of(ts::fft<1>(z_of(x, y))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x, y), 1, -1)); }},
    row{"irfft of dimension 1", [](auto x, auto y) { return ts::irfft<1>(z_of(x, y)); },
        [](tensor const& x, tensor const& y) {
          return real_of(dft(mirrored(numbers_of(x, y), 1, 2 * M - 2), 1, 1, 1.0 / (2 * M - 2)));
        }},
    row{"fft2", [](auto x, auto y) { return pair_of(ts::fft2(z_of(x, y))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(dft(numbers_of(x, y), 2, -1), 1, -1)); }},
    row{"ifft2", [](auto x, auto y) { return pair_of(ts::ifft2(z_of(x, y))); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(dft(numbers_of(x, y), 2, 1, 1.0 / N), 1, 1, 1.0 / M));
        }},
    row{"fftn, ifftn", [](auto x, auto y) { return pair_of(ts::ifftn<1>(ts::fftn<1, 2>(z_of(x, y)))); },
        [](tensor const& x, tensor const& y) { return pair_of(dft(numbers_of(x, y), 2, -1)); }},
    row{"rfft2", [](auto x, auto y) { return pair_of(ts::rfft2(x + y)); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(dft(numbers_of(x + y), 2, -1, 1, N / 2 + 1), 1, -1));
        }},
    row{"rfftn", [](auto x, auto y) { return pair_of(ts::rfftn<2, 1>(x + y, ts::ortho)); },
        [](tensor const& x, tensor const& y) {
          return pair_of(dft(dft(numbers_of(x + y), 1, -1, 1, M / 2 + 1), 2, -1, 1 / std::sqrt(double(M * N))));
        }},
    row{"irfft2", [](auto x, auto y) { return ts::irfft2(z_of(x, y)); },
        [](tensor const& x, tensor const& y) {
          auto const there = dft(numbers_of(x, y), 1, 1, 1.0 / M);
          return real_of(dft(mirrored(there, 2, 2 * N - 2), 2, 1, 1.0 / (2 * N - 2)));
        }},
    row{"irfftn", [](auto x, auto y) { return ts::irfftn<1>(z_of(x, y)); },
        [](tensor const& x, tensor const& y) {
          return real_of(dft(mirrored(numbers_of(x, y), 1, 2 * M - 2), 1, 1, 1.0 / (2 * M - 2)));
        }},
    row{"fftshift, ifftshift", [](auto x, auto y) { return ts::fftshift<-1>(x) * ts::ifftshift<1, 2>(y); },
        [](tensor const& x, tensor const& y) {
          return oracle::generate(x.extents, [&](oracle::ints const& i) {
            return x[{i[0], i[1], (i[2] + N - N / 2) % N}] * y[{i[0], (i[1] + M / 2) % M, (i[2] + N / 2) % N}];
          });
        }}};

// Relative to the largest value wanted, as rounding is.
template <class Table, class Where, class Door, class T, std::int64_t... E>
void check_all(double allowed) {
  dense<T, E...> const x(-1, 1), y(-1, 1, 5);
  auto const results = std::apply([](auto const&... in) { return Door::template run<all_rows<Table>>(in...); },
                                  place_all(Where{}, x, y));
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const one = [&](auto const& r, auto const& got) {
      auto const want = tensor(r.want(x.values, y.values));
      auto const have = tensor_of(got);
      ASSERT_EQ(have.extents, want.extents) << r.name;
      double largest = 0, apart = 0;
      for (std::size_t i = 0; i < want.data.size(); ++i) {
        largest = std::fmax(largest, std::fabs(want.data[i]));
        apart = std::fmax(apart, std::fabs(want.data[i] - have.data[i]));
      }
      EXPECT_LE(apart, allowed * largest) << r.name;
    };
    (one(std::get<I>(Table::rows), std::get<I>(results)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{});
}

}  // namespace fft_rows
