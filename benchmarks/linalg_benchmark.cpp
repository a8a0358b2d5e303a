// SPDX-License-Identifier: Apache-2.0
// nightly
// linalg: factors of matrices, triangular systems and least squares, one and in batches, float64 on one device. The peer is SciPy.
// ctest: linalg.*n=64 batch=1

#include "support/cases.hpp"

using namespace cases;

namespace {

template <std::int64_t B, std::int64_t N>
auto matrices(double diagonal) {
  auto const& noise = noises(9, B * N * N);
  std::vector<double> values(noise.begin(), noise.end());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (k / N % N == k % N) values[k] += diagonal;
  return ts::device_put(ts::host<B, N, N>(std::move(values)));
}
constexpr auto turned(auto x) { return ts::swapaxes<-1, -2>(x); }

// wrong(a): what is 0 where the factors are right.
struct lu {
  constexpr auto operator()(auto a) const { return ts::lu(a); }
  struct wrong {
    constexpr auto operator()(auto a) const {
      auto const [both, pivots, order] = ts::lu(a);
      constexpr auto n = decltype(a)::type::value.extents[2];
      auto const lower = ts::tril<-1>(both) + ts::eye<n, n, 0, double>();
      return ts::matmul(lower, ts::triu(both)) - ts::take_along_axis<1>(a, ts::expand_dims<-1>(order));
    }
  };
};
struct qr {
  constexpr auto operator()(auto a) const { return ts::qr(a); }
  struct wrong {
    constexpr auto operator()(auto a) const {
      auto const [q, r] = ts::qr(a);
      constexpr auto n = decltype(a)::type::value.extents[2];
      return ts::abs(ts::matmul(q, r) - a) + ts::abs(ts::matmul(turned(q), q) - ts::eye<n, n, 0, double>());
    }
  };
};
struct triangular {
  constexpr auto operator()(auto a) const {
    return ts::triangular_solve(a, turned(a), ts::left_side, ts::lower_triangle);
  }
  struct wrong {
    constexpr auto operator()(auto a) const { return ts::matmul(ts::tril(a), triangular{}(a)) - turned(a); }
  };
};

struct svd {
  constexpr auto operator()(auto a) const { return ts::svd(a); }
  struct wrong {
    constexpr auto operator()(auto a) const {
      auto const [u, s, vt] = ts::svd(a);
      constexpr auto n = decltype(a)::type::value.extents[2];
      return ts::abs(ts::matmul(u * ts::expand_dims<-2>(s), vt) - a) +
             ts::abs(ts::matmul(turned(u), u) - ts::eye<n, n, 0, double>());
    }
  };
};
// Half of the columns, and the last one as the right side: what is left over is orthogonal to them.
struct least_squares {
  static constexpr auto columns(auto a) { return ts::slice_in_dim<2, 0, decltype(a)::type::value.extents[2] / 2>(a); }
  static constexpr auto side(auto a) {
    constexpr auto n = decltype(a)::type::value.extents[2];
    return ts::slice_in_dim<2, n - 1, n>(a);
  }
  constexpr auto operator()(auto a) const { return ts::lstsq(columns(a), side(a)); }
  struct wrong {
    constexpr auto operator()(auto a) const {
      auto const x = std::get<0>(least_squares{}(a));
      return ts::matmul(turned(columns(a)), ts::matmul(columns(a), x) - side(a));
    }
  };
};

template <class F, std::int64_t B, std::int64_t N>
void factor(benchmark::State& state, std::string const& name) {
  auto const a = matrices<B, N>(std::is_same_v<F, triangular> ? 2. * N : 0.);
  auto const call = [&] {
    auto result = ts::jit<F>(a);
    if constexpr (requires { result.block_until_ready(); })
      result.block_until_ready();
    else
      std::get<0>(result).block_until_ready();
  };
  measure(state, name, 1e-9, call, [&] {
    difference d;
    for (double v : ts::jit<typename F::wrong>(a).to_host()) d.add(1 + v, 1);
    return d.relative();
  });
}
template <class F>
void sizes(std::string const& name) {
  add("linalg." + name + " n=64 batch=1", factor<F, 1, 64>);
  add("linalg." + name + " n=64 batch=64", factor<F, 64, 64>);
  add("linalg." + name + " n=256 batch=1", factor<F, 1, 256>);
  add("linalg." + name + " n=256 batch=8", factor<F, 8, 256>);
  add("linalg." + name + " n=768 batch=1", factor<F, 1, 768>);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 1, [] {
    sizes<lu>("lu");
    sizes<qr>("qr");
    sizes<triangular>("triangular_solve");
    sizes<svd>("svd");
    sizes<least_squares>("lstsq");
  });
}
