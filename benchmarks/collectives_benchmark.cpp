// SPDX-License-Identifier: Apache-2.0
// W3 and W4: the collectives that layouts ask for by themselves. A buffer a device is a row of an array split by rows:
// psum is a sum over that dimension, all_gather and all_to_all are reshards. ppermute, and 32 psums one after the other on
// each device's own value, in shard_map. W8: psum over 1 to 64 devices, the total fixed.
// ctest: kib=4/|steady

#include "support/cases.hpp"

using namespace cases;

namespace {

struct total {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x); }
};
// Every device's row, summed, each device keeping one part of the sum.
struct scattered_total {
  constexpr auto operator()(auto x) const { return ts::einsum<"ne->e">(x, ts::out_sharding<ts::P<i>>); }
};
template <class S>
struct moved {
  constexpr auto operator()(auto x) const { return ts::reshard<S>(x); }
};

struct to_the_next {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<i>>>([](auto row) { return ts::ppermute<i>(row, ts::rotate<1>); })(x);
  }
};
// As the peers': every device has a value of its own after each of them.
template <int N>
struct mean_of_means {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<>>, ts::check_vma<false>>([](auto row) { return turn<32>(row); })(x);
  }

private:
  template <int Left>
  static constexpr auto turn(auto v) {
    if constexpr (Left == 0)
      return v;
    else
      return turn<Left - 1>(ts::psum<i>(v) * (1.0f / N));
  }
};

enum class expected { same, sum_of_rows, mean_of_rows, next_row };

template <class F, class S, class M, std::int64_t... E>
struct one {
  std::vector<float> const& host = noises(1, static_cast<std::size_t>((E * ...)));

  void time(benchmark::State& state, std::string const& name, double tolerance, expected what) const {
    auto const x = put<S, M, E...>(host);
    measure(
        state, name, tolerance, [&] { ts::jit<F>(x).block_until_ready(); },
        [&] { return wrong(ts::jit<F>(x).to_host(), what); });
  }
  void count(benchmark::State& state) const {
    auto const x = put<S, M, E...>(host);
    count_warm(state, [&] { ts::jit<F>(x).block_until_ready(); });
  }
  double wrong(std::vector<float> const& got, expected what) const {
    difference d;
    bool const over_rows = what == expected::sum_of_rows || what == expected::mean_of_rows;
    std::size_t const summed = over_rows ? rows() : 1, row = host.size() / rows();
    if (got.size() * summed != host.size()) return std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < got.size(); ++k) {
      double want = what == expected::next_row ? host[(k + host.size() - row) % host.size()] : 0;
      for (std::size_t r = 0; r < summed && what != expected::next_row; ++r) want += host[r * got.size() + k];
      d.add(got[k], what == expected::mean_of_rows ? want / static_cast<double>(rows()) : want);
    }
    return d.relative();
  }
  static constexpr std::size_t rows() {
    std::int64_t const extents[]{E...};
    return static_cast<std::size_t>(extents[0]);
  }
};

template <class Case>
void add_case(std::string const& name, double tolerance, expected what) {
  add(name, [=](benchmark::State& state, std::string const& full) { Case{}.time(state, full, tolerance, what); });
}

template <std::int64_t N, std::int64_t Kib>
void add_collectives() {
  constexpr std::int64_t e = Kib * 256;
  using M = line<N>;
  std::string const params = " n=" + std::to_string(N) + " kib=" + std::to_string(Kib);
  add_case<one<total, ts::P<i>, M, N, e>>("W3.psum" + params, 1e-5, expected::sum_of_rows);
  add_case<one<moved<ts::P<>>, ts::P<i>, M, N, e>>("W3.all_gather" + params, 0, expected::same);
  add_case<one<scattered_total, ts::P<i>, M, N, e>>("W3.psum_scatter" + params, 1e-5, expected::sum_of_rows);
  add_case<one<moved<ts::P<ts::none, i>>, ts::P<i>, M, N, N, e / N>>("W3.all_to_all" + params, 0, expected::same);
  add_case<one<to_the_next, ts::P<i>, M, N, e>>("W3.ppermute" + params, 0, expected::next_row);
}
template <std::int64_t N>
void add_chain() {
  add_case<one<mean_of_means<N>, ts::P<i>, line<N>, N, 1024>>("W3.psum_chain32 n=" + std::to_string(N) + " kib=4", 1e-5,
                                                              expected::mean_of_rows);
}
template <class From, class To>
void add_reshard(std::string const& names) {
  add_case<one<moved<To>, From, grid<4, 2>, 4096, 4096>>("W4.reshard " + names, 0, expected::same);
}
template <std::int64_t... N>
void add_psums() {
  (add_case<one<total, ts::P<i>, line<N>, N, (4 << 20) / N>>("W8.psum total_mib=16 devices=" + std::to_string(N), 1e-4,
                                                             expected::sum_of_rows),
   ...);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 64, [] {
    add_collectives<8, 4>();
    add_collectives<8, 256>();
    add_collectives<8, 16384>();
    add_collectives<2, 4>();
    add_collectives<2, 256>();
    add_collectives<2, 16384>();
    add_chain<8>();
    add_chain<2>();
    add_reshard<ts::P<dp, mp>, ts::P<mp, dp>>("from=dp,mp to=mp,dp");
    add_reshard<ts::P<dp, ts::none>, ts::P<ts::none, dp>>("from=dp,None to=None,dp");
    add_reshard<ts::P<dp, mp>, ts::P<>>("from=dp,mp to=None,None");
    add_reshard<ts::P<>, ts::P<dp, mp>>("from=None,None to=dp,mp");
    add_psums<1, 2, 4, 8, 16, 32, 64>();
    add_count("steady.W3 n=8 kib=256", [](benchmark::State& state, std::string const&) {
      one<total, ts::P<i>, line<8>, 8, 65536>{}.count(state);
    });
  });
}
