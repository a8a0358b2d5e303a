// SPDX-License-Identifier: Apache-2.0
// nightly
// ops: transposes, gathers and scatters of rows, sorts, sums along a dimension and over short rows, inverse Fourier
// transforms.
// ctest: ops.(take|sort n=1024)

#include "support/cases.hpp"

using namespace cases;

namespace {

using rows_split = ts::P<ts::axes<dp, mp>, ts::none>;
using columns_split = ts::P<ts::none, ts::axes<dp, mp>>;

// F on x...; check(result, difference) compares it with an expected one.
template <class F, class Check, class... X>
void time(benchmark::State& state, std::string const& name, double tolerance, Check const& check, X const&... x) {
  auto const call = [&] {
    auto result = ts::jit<F>(x...);
    if constexpr (requires { result.block_until_ready(); })
      result.block_until_ready();
    else
      std::get<0>(result).block_until_ready();
  };
  measure(state, name, tolerance, call, [&] {
    difference d;
    check(ts::jit<F>(x...), d);
    return d.relative();
  });
}

struct transposed {
  constexpr auto operator()(auto x) const { return ts::transpose(x); }
};
struct channels_first {
  constexpr auto operator()(auto x) const { return ts::transpose<0, 3, 1, 2>(x); }
};

template <class M>
void transpose(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 4096;
  auto const& host = noises(2, n * n);
  time<transposed>(
      state, name, 0,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t k = 0; k < n * n; k += 37) d.add(got[k], host[k % n * n + k / n]);
      },
      put<ts::P<dp, mp>, M, n, n>(host));
}
template <class M>
void images(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 32, places = 56 * 56, c = 64;
  auto const& host = noises(3, n * places * c);
  time<channels_first>(
      state, name, 0,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t k = 0; k < got.size(); k += 37)
          d.add(got[k], host[(k / (c * places) * places + k % places) * c + k / places % c]);
      },
      put<ts::P<ts::axes<dp, mp>>, M, n, 56, 56, c>(host));
}

constexpr std::size_t words = 32768, width = 256, tokens = 4096;

std::vector<std::int32_t> const& ids() {
  static std::vector<std::int32_t> const made = [] {
    std::vector<std::int32_t> list(tokens);
    for (std::size_t k = 0; k < tokens; ++k) list[k] = static_cast<std::int32_t>((noise(7, k) + 1) / 2 * words);
    return list;
  }();
  return made;
}
template <class M>
auto put_ids() {
  return ts::device_put<ts::P<>>(ts::host<tokens>(ids()), ts::make_mesh<M>(ts::devices()));
}

template <class Out>
struct rows_at {
  constexpr auto operator()(auto table, auto at) const { return ts::take<0>(table, at, ts::out_sharding<Out>); }
};
template <class Out>
struct rows_added {
  constexpr auto operator()(auto table, auto at, auto rows) const {
    return table.at(at).add(rows, ts::out_sharding<Out>);
  }
};

template <class M, class In, class Out>
void take(benchmark::State& state, std::string const& name) {
  auto const& host = noises(4, words * width);
  time<rows_at<Out>>(
      state, name, 0,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t k = 0; k < got.size(); ++k)
          d.add(got[k], host[static_cast<std::size_t>(ids()[k / width]) * width + k % width]);
      },
      put<In, M, words, width>(host), put_ids<M>());
}
template <class M>
void scatter_add(benchmark::State& state, std::string const& name) {
  auto const &host = noises(4, words * width), &added = noises(5, tokens * width);
  time<rows_added<columns_split>>(
      state, name, 1e-6,
      [&](auto const& y, difference& d) {
        std::vector<double> expected(host.begin(), host.end());
        for (std::size_t k = 0; k < added.size(); ++k)
          expected[static_cast<std::size_t>(ids()[k / width]) * width + k % width] += added[k];
        auto const got = y.to_host();
        for (std::size_t k = 0; k < got.size(); ++k) d.add(got[k], expected[k]);
      },
      put<columns_split, M, words, width>(host), put_ids<M>(), put<columns_split, M, tokens, width>(added));
}

struct in_order {
  constexpr auto operator()(auto x) const { return ts::sort(x); }
};
struct order {
  constexpr auto operator()(auto x) const { return ts::argsort(x); }
};
template <int K>
struct largest {
  constexpr auto operator()(auto x) const { return ts::top_k<K>(x); }
};

template <class F, class M, std::size_t Rows, std::size_t N>
void sort(benchmark::State& state, std::string const& name) {
  auto const& host = noises(6, Rows * N);
  time<F>(
      state, name, 0,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t r = 0; r < Rows; r += 61) {
          auto const from = host.begin() + static_cast<std::ptrdiff_t>(r * N);
          std::vector<float> row(from, from + N);
          std::vector<std::int32_t> at(N);
          for (std::size_t k = 0; k < N; ++k) at[k] = static_cast<std::int32_t>(k);
          std::sort(at.begin(), at.end(), [&](auto a, auto b) { return std::pair(row[a], a) < std::pair(row[b], b); });
          for (std::size_t k = 0; k < N; ++k)
            d.add(got[r * N + k], std::is_same_v<F, order> ? double(at[k]) : row[at[k]]);
        }
      },
      put<rows_split, M, Rows, N>(host));
}
template <int K, class M, std::size_t Rows, std::size_t N>
void top_k(benchmark::State& state, std::string const& name) {
  auto const& host = noises(6, Rows * N);
  time<largest<K>>(
      state, name, 0,
      [&](auto const& result, difference& d) {
        auto const values = std::get<0>(result).to_host();
        auto const at = std::get<1>(result).to_host();
        for (std::size_t r = 0; r < Rows; ++r) {
          auto const from = host.begin() + static_cast<std::ptrdiff_t>(r * N);
          std::vector<float> row(from, from + N);
          std::sort(row.begin(), row.end(), std::greater<>());
          for (std::size_t k = 0; k < K; ++k) {
            d.add(values[r * K + k], row[k]);
            d.add(host[r * N + static_cast<std::size_t>(at[r * K + k])], row[k]);
          }
        }
      },
      put<rows_split, M, Rows, N>(host));
}

template <int Dim>
struct sums_along {
  constexpr auto operator()(auto x) const { return ts::cumsum<Dim>(x); }
};
template <int Dim, class M>
void cumsum(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 4096;
  auto const& host = noises(2, n * n);
  time<sums_along<Dim>>(
      state, name, 1e-4,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        std::vector<double> sums(n);
        for (std::size_t k = 0; k < n * n; ++k) d.add(got[k], sums[Dim == 0 ? k % n : k / n] += host[k]);
      },
      put<std::conditional_t<Dim == 0, columns_split, rows_split>, M, n, n>(host));
}

// Rows that are shorter than a vector.
struct squares_of_rows {
  constexpr auto operator()(auto x) const { return ts::sum<-1>(x * x); }
};
template <class M, std::size_t Columns>
void short_rows(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = std::size_t{1} << 20;
  auto const& host = noises(10, n * Columns);
  time<squares_of_rows>(
      state, name, 1e-6,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t r = 0; r < n; r += 61) {
          double sum = 0;
          for (std::size_t c = 0; c < Columns; ++c) sum += double(host[r * Columns + c]) * host[r * Columns + c];
          d.add(got[r], sum);
        }
      },
      put<rows_split, M, n, Columns>(host));
}

struct back_to_rows {
  constexpr auto operator()(auto re, auto im) const { return ts::irfft(ts::complex(re, im)); }
};
template <class M>
void irfft(benchmark::State& state, std::string const& name) {
  constexpr std::size_t n = 4096, lines = 256, frequencies = n / 2 + 1;
  auto const &re = noises(8, lines * frequencies), &im = noises(9, lines * frequencies);
  time<back_to_rows>(
      state, name, 1e-4,
      [&](auto const& y, difference& d) {
        auto const got = y.to_host();
        for (std::size_t r = 0; r < lines; r += 51)
          for (std::size_t j = 0; j < n; j += 97) {
            double sum = 0;
            for (std::size_t k = 0; k < frequencies; ++k) {
              double const turn = 6.283185307179586 * double(j * k % n) / double(n), both = k % (n / 2) ? 2 : 1;
              sum += both * (re[r * frequencies + k] * std::cos(turn) - im[r * frequencies + k] * std::sin(turn));
            }
            d.add(got[r * n + j], sum / double(n));
          }
      },
      put<rows_split, M, lines, frequencies>(re), put<rows_split, M, lines, frequencies>(im));
}

using one = grid<1, 1>;
using eight = grid<4, 2>;

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("ops.transpose n=4096 devices=1", transpose<one>);
    add("ops.transpose n=4096 devices=8", transpose<eight>);
    add("ops.nhwc_to_nchw n=32 hw=56 c=64 devices=1", images<one>);
    add("ops.nhwc_to_nchw n=32 hw=56 c=64 devices=8", images<eight>);
    add("ops.take rows=4096 of=32768 table=whole devices=1", take<one, ts::P<>, ts::P<>>);
    add("ops.take rows=4096 of=32768 table=columns devices=8", take<eight, columns_split, columns_split>);
    add("ops.take rows=4096 of=32768 table=rows devices=8", take<eight, rows_split, rows_split>);
    add("ops.scatter_add rows=4096 of=32768 devices=1", scatter_add<one>);
    add("ops.scatter_add rows=4096 of=32768 devices=8", scatter_add<eight>);
    add("ops.sort n=1024 rows=4096 devices=1", sort<in_order, one, 4096, 1024>);
    add("ops.sort n=1024 rows=4096 devices=8", sort<in_order, eight, 4096, 1024>);
    add("ops.sort n=1048576 rows=1 devices=1", sort<in_order, one, 1, 1048576>);
    add("ops.argsort n=1024 rows=4096 devices=1", sort<order, one, 4096, 1024>);
    add("ops.argsort n=1024 rows=4096 devices=8", sort<order, eight, 4096, 1024>);
    add("ops.top_k k=8 n=32768 rows=128 devices=1", top_k<8, one, 128, 32768>);
    add("ops.top_k k=8 n=32768 rows=128 devices=8", top_k<8, eight, 128, 32768>);
    add("ops.cumsum n=4096 dim=0 devices=1", cumsum<0, one>);
    add("ops.cumsum n=4096 dim=0 devices=8", cumsum<0, eight>);
    add("ops.cumsum n=4096 dim=1 devices=1", cumsum<1, one>);
    add("ops.cumsum n=4096 dim=1 devices=8", cumsum<1, eight>);
    add("ops.short_rows n=1048576 columns=3 devices=1", short_rows<one, 3>);
    add("ops.short_rows n=1048576 columns=8 devices=1", short_rows<one, 8>);
    add("ops.irfft n=4096 rows=256 devices=1", irfft<one>);
    add("ops.irfft n=4096 rows=256 devices=8", irfft<eight>);
  });
}
