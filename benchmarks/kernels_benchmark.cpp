// SPDX-License-Identifier: Apache-2.0
// nightly
// Kernels beside the same as operations on whole arrays: attention of 8 heads of 64 (peers/attention.py has PyTorch's and
// JAX's), rows of a softmax, a product in tiles with what follows it.
// ctest: attention=flash seq=2048|softmax|product

#include <tessera/functions.hpp>

#include "support/cases.hpp"

using namespace cases;

namespace {

constexpr std::size_t heads = 8, size = 64;

struct plain {
  template <bool Causal>
  static constexpr auto of(auto q, auto k, auto v) {
    if constexpr (Causal)
      return ts::dot_product_attention(q, k, v, ts::causal);
    else
      return ts::dot_product_attention(q, k, v);
  }
};
struct flash {
  template <bool Causal>
  static constexpr auto of(auto q, auto k, auto v) {
    if constexpr (Causal)
      return ts::flash_attention(q, k, v, ts::causal);
    else
      return ts::flash_attention(q, k, v);
  }
};
template <class How, bool Causal>
struct forward {
  constexpr auto operator()(auto q, auto k, auto v) const { return How::template of<Causal>(q, k, v); }
};
template <class How, bool Causal>
struct gradients {
  constexpr auto operator()(auto q, auto k, auto v, auto weight) const {
    return ts::grad<0, 1, 2>([](auto q, auto k, auto v, auto weight) {
      return ts::sum(How::template of<Causal>(q, k, v) * weight);
    })(q, k, v, weight);
  }
};

template <std::size_t Length>
auto heads_of(std::uint64_t seed) {
  return ts::asarray(ts::host<1, Length, heads, size>(noises(seed, Length * heads * size)));
}

// Rows of head 0 in double.
template <std::size_t Length, bool Causal, class Y>
double wrong_rows(Y const& y, Y const& q, Y const& k, Y const& v) {
  difference d;
  auto const at = [](Y const& x, std::size_t row, std::size_t c) {
    return static_cast<double>(x[row * heads * size + c]);
  };
  for (std::size_t row = 0; row < Length; row += Length / 31) {
    std::vector<double> p(Causal ? row + 1 : Length), want(size);
    double most = -1e300, sum = 0;
    for (std::size_t r = 0; r < p.size(); ++r) {
      for (std::size_t c = 0; c < size; ++c) p[r] += at(q, row, c) * at(k, r, c) / 8;
      most = std::max(most, p[r]);
    }
    for (double& one : p) sum += one = std::exp(one - most);
    for (std::size_t r = 0; r < p.size(); ++r)
      for (std::size_t c = 0; c < size; ++c) want[c] += p[r] / sum * at(v, r, c);
    for (std::size_t c = 0; c < size; ++c) d.add(y[row * heads * size + c], want[c]);
  }
  return d.relative();
}

template <class How, std::size_t Length, bool Causal>
void attend(benchmark::State& state, std::string const& name) {
  auto const q = heads_of<Length>(0), k = heads_of<Length>(1), v = heads_of<Length>(2);
  using f = forward<How, Causal>;
  measure(
      state, name, 1e-3, [&] { ts::jit<f>(q, k, v).block_until_ready(); },
      [&] { return wrong_rows<Length, Causal>(ts::jit<f>(q, k, v).to_host(), q.to_host(), k.to_host(), v.to_host()); });
}
template <class How, std::size_t Length, bool Causal>
void attend_back(benchmark::State& state, std::string const& name) {
  auto const q = heads_of<Length>(0), k = heads_of<Length>(1), v = heads_of<Length>(2), w = heads_of<Length>(3);
  using f = gradients<How, Causal>;
  measure(
      state, name, 1e-3, [&] { std::get<0>(ts::jit<f>(q, k, v, w)).block_until_ready(); },
      [&] {  // against the gradients of the same by whole arrays
        auto const got = ts::jit<f>(q, k, v, w);
        auto const want = ts::jit<gradients<plain, Causal>>(q, k, v, w);
        difference d;
        auto const add = [&](auto const& x, auto const& y) {
          auto const a = x.to_host(), b = y.to_host();
          for (std::size_t i = 0; i < a.size(); i += 97) d.add(a[i], b[i]);
        };
        add(std::get<0>(got), std::get<0>(want));
        add(std::get<1>(got), std::get<1>(want));
        add(std::get<2>(got), std::get<2>(want));
        return d.relative();
      });
}

// Rows of a softmax, 64 at a time.
constexpr std::size_t rows = 4096, columns = 1024;
struct softmax_rows {
  constexpr void operator()(auto const& x, auto& out) const { out = ts::softmax<1>(x); }
};
struct row_block {
  constexpr auto operator()(auto i) const { return std::tuple{i, 0}; }
};
struct softmax_kernel {
  constexpr auto operator()(auto x) const {
    using block = ts::block_spec<row_block{}, 64, columns>;
    return ts::kernel<ts::kernel_grid<rows / 64>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, rows, columns>>>(softmax_rows{})(x);
  }
};
struct softmax_plain {
  constexpr auto operator()(auto x) const { return ts::softmax<1>(x); }
};
template <class F>
void softmax(benchmark::State& state, std::string const& name) {
  auto const x = ts::asarray(ts::host<rows, columns>(noises(0, rows * columns)));
  measure(
      state, name, 1e-5, [&] { ts::jit<F>(x).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(x).to_host(), given = x.to_host();
        difference d;
        for (std::size_t r = 0; r < rows; r += 97) {
          double sum = 0;
          for (std::size_t c = 0; c < columns; ++c) sum += std::exp(static_cast<double>(given[r * columns + c]));
          for (std::size_t c = 0; c < columns; c += 7)
            d.add(got[r * columns + c], std::exp(static_cast<double>(given[r * columns + c])) / sum);
        }
        return d.relative();
      });
}

// The sum of all rows: 64 instances add to one block.
struct one_row {
  constexpr auto operator()(auto) const { return std::tuple{0, 0}; }
};
struct sum_of_rows {
  constexpr void operator()(auto const& x, auto& out) const { out = ts::sum<0>(x, ts::keepdims); }
};
struct sum_kernel {
  constexpr auto operator()(auto x) const {
    using block = ts::block_spec<row_block{}, 64, columns>;
    using sum = ts::block_spec<one_row{}, 1, columns>;
    return ts::kernel<ts::kernel_grid<rows / 64>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::sum_block<sum, float, 1, columns>>>(sum_of_rows{})(x);
  }
};
struct sum_plain {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x, ts::keepdims); }
};
template <class F>
void sum_rows(benchmark::State& state, std::string const& name) {
  auto const x = ts::asarray(ts::host<rows, columns>(noises(0, rows * columns)));
  measure(
      state, name, 1e-4, [&] { ts::jit<F>(x).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(x).to_host(), given = x.to_host();
        difference d;
        for (std::size_t c = 0; c < columns; c += 7) {
          double sum = 0;
          for (std::size_t r = 0; r < rows; ++r) sum += static_cast<double>(given[r * columns + c]);
          d.add(got[c], sum);
        }
        return d.relative();
      });
}

// Rows added where a table says: 8 to each of 512 places, one instance a row.
constexpr std::size_t places = 512;
struct place_in_table {
  constexpr auto operator()(auto i, auto table) const { return std::tuple{table(i), 0}; }
};
struct give_row {
  constexpr void operator()(auto const&, auto const& x, auto& out) const { out = x; }
};
struct scatter_kernel {
  constexpr auto operator()(auto table, auto x) const {
    using row = ts::block_spec<row_block{}, 1, columns>;
    using place = ts::block_spec<place_in_table{}, 1, columns>;
    return ts::kernel<ts::kernel_grid<rows>, ts::in_block_specs<ts::scalar_prefetch, row>,
                      ts::out_block_specs<ts::sum_block<place, float, places, columns>>>(give_row{})(table, x);
  }
};
struct scatter_plain {
  constexpr auto operator()(auto table, auto x) const { return ts::zeros<float, places, columns>().at(table).add(x); }
};
template <class F>
void scatter(benchmark::State& state, std::string const& name) {
  std::vector<std::int32_t> to(rows);
  for (std::size_t r = 0; r < rows; ++r) to[r] = static_cast<std::int32_t>(r * 7 % places);
  auto const table = ts::asarray(ts::host<rows>(to));
  auto const x = ts::asarray(ts::host<rows, columns>(noises(0, rows * columns)));
  measure(
      state, name, 1e-5, [&] { ts::jit<F>(table, x).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(table, x).to_host(), given = x.to_host();
        std::vector<double> want(places * columns);
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t c = 0; c < columns; ++c)
            want[static_cast<std::size_t>(to[r]) * columns + c] += static_cast<double>(given[r * columns + c]);
        difference d;
        for (std::size_t i = 0; i < want.size(); i += 97) d.add(got[i], want[i]);
        return d.relative();
      });
}

// 64 kernels of some instances each, of Rows rows of a softmax: in vmap, and in a scan.
constexpr std::size_t batch = 64, few_rows = 64, few_columns = 128;
template <std::int64_t Rows>
struct small_kernel {
  constexpr auto operator()(auto x) const {
    using block = ts::block_spec<row_block{}, Rows, few_columns>;
    return ts::kernel<ts::kernel_grid<few_rows / Rows>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, few_rows, few_columns>>>(softmax_rows{})(x);
  }
};
template <std::int64_t Rows>
struct in_vmap {
  constexpr auto operator()(auto x) const { return ts::vmap(small_kernel<Rows>{})(x); }
};
template <std::int64_t Rows>
struct in_scan {
  constexpr auto operator()(auto x) const { return ts::map(small_kernel<Rows>{}, x); }
};
template <class F>
void small_kernels(benchmark::State& state, std::string const& name) {
  auto const x = ts::asarray(ts::host<batch, few_rows, few_columns>(noises(0, batch * few_rows * few_columns)));
  measure(
      state, name, 1e-5, [&] { ts::jit<F>(x).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(x).to_host(), given = x.to_host();
        difference d;
        for (std::size_t r = 0; r < batch * few_rows; r += 97) {
          double sum = 0;
          auto const at = [&](std::size_t c) { return std::exp(static_cast<double>(given[r * few_columns + c])); };
          for (std::size_t c = 0; c < few_columns; ++c) sum += at(c);
          for (std::size_t c = 0; c < few_columns; c += 7) d.add(got[r * few_columns + c], at(c) / sum);
        }
        return d.relative();
      });
}

// gelu(x w + b) of 1024 x 1024, in tiles of 256 x 256.
constexpr std::size_t side = 1024, tile = 256;
struct tile_of_product {
  constexpr void operator()(auto const& x, auto const& w, auto const& b, auto& out) const {
    out = ts::gelu(ts::matmul(x, w) + b);
  }
};
struct left {
  constexpr auto operator()(auto i, auto) const { return std::tuple{i, 0}; }
};
struct right {
  constexpr auto operator()(auto, auto j) const { return std::tuple{0, j}; }
};
struct both {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{i, j}; }
};
struct product_kernel {
  constexpr auto operator()(auto x, auto w, auto b) const {
    return ts::kernel<ts::kernel_grid<side / tile, side / tile>,
                      ts::in_block_specs<ts::block_spec<left{}, tile, side>, ts::block_spec<right{}, side, tile>,
                                         ts::block_spec<right{}, 1, tile>>,
                      ts::out_block_specs<ts::out_block<ts::block_spec<both{}, tile, tile>, float, side, side>>>(
        tile_of_product{})(x, w, b);
  }
};
struct product_plain {
  constexpr auto operator()(auto x, auto w, auto b) const { return ts::gelu(ts::matmul(x, w) + b); }
};
template <class F>
void product(benchmark::State& state, std::string const& name) {
  auto const x = ts::asarray(ts::host<side, side>(noises(0, side * side)));
  auto const w = ts::asarray(ts::host<side, side>(noises(1, side * side)));
  auto const b = ts::asarray(ts::host<1, side>(noises(2, side)));
  measure(
      state, name, 1e-4, [&] { ts::jit<F>(x, w, b).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(x, w, b).to_host(), l = x.to_host(), r = w.to_host(), more = b.to_host();
        difference d;
        for (std::size_t i = 0; i < side; i += 61)
          for (std::size_t j = 0; j < side; j += 53) {
            double sum = more[j];
            for (std::size_t k = 0; k < side; ++k) sum += static_cast<double>(l[i * side + k]) * r[k * side + j];
            d.add(got[i * side + j], gelu_of(sum));
          }
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 1, [] {
    add("kernels.attention=flash seq=2048 causal=0 pass=fwd", attend<flash, 2048, false>);
    add("kernels.attention=plain seq=2048 causal=0 pass=fwd", attend<plain, 2048, false>);
    add("kernels.attention=flash seq=2048 causal=1 pass=fwd", attend<flash, 2048, true>);
    add("kernels.attention=plain seq=2048 causal=1 pass=fwd", attend<plain, 2048, true>);
    add("kernels.attention=flash seq=2048 causal=0 pass=fwd+bwd", attend_back<flash, 2048, false>);
    add("kernels.attention=plain seq=2048 causal=0 pass=fwd+bwd", attend_back<plain, 2048, false>);
    add("kernels.attention=flash seq=2048 causal=1 pass=fwd+bwd", attend_back<flash, 2048, true>);
    add("kernels.attention=plain seq=2048 causal=1 pass=fwd+bwd", attend_back<plain, 2048, true>);
    add("kernels.attention=flash seq=8192 causal=0 pass=fwd", attend<flash, 8192, false>);
    add("kernels.attention=plain seq=8192 causal=0 pass=fwd", attend<plain, 8192, false>);
    add("kernels.attention=flash seq=8192 causal=1 pass=fwd", attend<flash, 8192, true>);
    add("kernels.softmax=kernel n=4096x1024", softmax<softmax_kernel>);
    add("kernels.softmax=plain n=4096x1024", softmax<softmax_plain>);
    add("kernels.small=vmap batch=64 n=64x128 instances=1", small_kernels<in_vmap<64>>);
    add("kernels.small=scan batch=64 n=64x128 instances=1", small_kernels<in_scan<64>>);
    add("kernels.small=vmap batch=64 n=64x128 instances=2", small_kernels<in_vmap<32>>);
    add("kernels.small=scan batch=64 n=64x128 instances=2", small_kernels<in_scan<32>>);
    add("kernels.sum=sum_block n=4096x1024", sum_rows<sum_kernel>);
    add("kernels.sum=plain n=4096x1024", sum_rows<sum_plain>);
    add("kernels.scatter=sum_block n=4096x1024", scatter<scatter_kernel>);
    add("kernels.scatter=plain n=4096x1024", scatter<scatter_plain>);
    add("kernels.product=kernel n=1024 then=gelu", product<product_kernel>);
    add("kernels.product=plain n=1024 then=gelu", product<product_plain>);
  });
}
