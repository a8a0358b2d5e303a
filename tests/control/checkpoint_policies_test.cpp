// SPDX-License-Identifier: Apache-2.0
// checkpoint(f, policy): the same gradients, and as much work and memory as the policy says.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
namespace policies = ts::checkpoint_policies;

// Two layers; the names are on what follows the products.
constexpr auto layers = [](auto x, auto w) {
  auto const first = ts::checkpoint_name<"first">(ts::tanh(ts::dot(x, w)));
  return ts::checkpoint_name<"second">(ts::tanh(ts::dot(ts::sin(first), w)));
};
struct as_written {
  constexpr auto operator()(auto x, auto w) const { return layers(x, w); }
};
template <auto Policy>
struct saving {
  constexpr auto operator()(auto x, auto w) const { return ts::checkpoint(layers, Policy)(x, w); }
};
struct keeping_nothing {
  constexpr auto operator()(auto x, auto w) const { return ts::checkpoint(layers)(x, w); }
};
template <class F>
struct gradient {
  constexpr auto operator()(auto x, auto w) const {
    return ts::grad<0, 1>([](auto x, auto w) { return ts::sum(ts::square(F{}(x, w))); })(x, w);
  }
};
// As the body of a loop over layers, the usual place of a checkpoint.
template <class F>
struct looped {
  constexpr auto operator()(auto x, auto w) const {
    return ts::fori_loop(
        0, 4, [&](auto, auto h) { return F{}(h, w); }, x);
  }
};
template <class F>
struct mapped {
  constexpr auto operator()(auto x, auto w) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>>(
        [](auto row, auto w) { return ts::squeeze<0>(F{}(ts::expand_dims<0>(row), w)); })(x, w);
  }
};

constexpr auto only_first = policies::save_only_these_names<"first">;
constexpr auto but_first = policies::save_any_names_but_these<"first">;
constexpr auto first_and_dots =
    policies::save_from_both_policies(policies::save_only_these_names<"first">, policies::dots_saveable);
constexpr auto own = [](ts::saveable const& v) { return v.name() == "tanh" && v.bytes() <= 2048; };

template <class F, class Like>
void same_gradients(std::string const& what) {
  SCOPED_TRACE(what);
  auto const x = put<ts::P<dp>, 8, 6>(1.3);
  auto const w = put<ts::P<>, 6, 6>(0.7);
  auto const [gx, gw] = run<gradient<F>>(x, w);
  auto const [wx, ww] = run<gradient<Like>>(x, w);
  near(gx, wx);
  near(gw, ww);
}
template <template <class> class Around, class F>
void same_in() {
  same_gradients<Around<F>, Around<as_written>>("gradient");
}
template <template <class> class Around>
void all_policies_in() {
  same_in<Around, keeping_nothing>();
  same_in<Around, saving<policies::nothing_saveable>>();
  same_in<Around, saving<policies::everything_saveable>>();
  same_in<Around, saving<policies::dots_saveable>>();
  same_in<Around, saving<policies::dots_with_no_batch_dims_saveable>>();
  same_in<Around, saving<only_first>>();
  same_in<Around, saving<but_first>>();
  same_in<Around, saving<first_and_dots>>();
  same_in<Around, saving<own>>();
  same_in<Around, saving<ts::remat_to<500>>>();
}
template <class F>
struct plain {
  constexpr auto operator()(auto x, auto w) const { return F{}(x, w); }
};
template <class F>
struct moved {
  constexpr auto operator()(auto x, auto w) const {
    return std::get<1>(ts::jvp([&](auto v) { return F{}(v, w); }, x, x));
  }
};

TEST(checkpoint_policies, gradients_are_the_same) { all_policies_in<plain>(); }
TEST(checkpoint_policies, in_a_loop) { all_policies_in<looped>(); }
TEST(checkpoint_policies, in_vmap) { all_policies_in<mapped>(); }
TEST(checkpoint_policies, of_tangents) { all_policies_in<moved>(); }

// What a policy saves is kept, and not computed again: on each device two products of 2 x 16 x 32 x 32, and values of 2,048
// bytes. Without saving both products are computed again, for the slopes of the two tanh.
using x_type = ts::array_type<float, ts::shape<64, 32>, ts::P<dp>, grid>;
using w_type = ts::array_type<float, ts::shape<32, 32>, ts::P<>, grid>;
constexpr std::int64_t product = 2 * 16 * 32 * 32, value = 16 * 32 * 4;
template <class F>
constexpr std::int64_t again = ts::work_of<gradient<F>, x_type, w_type>.flops(ts::program_pass::recomputed) / product;
template <class F>
constexpr std::int64_t kept = ts::memory_of<gradient<F>, x_type, w_type>.kept_for_backward / value;

static_assert(again<as_written> == 0 && kept<as_written> == 3);
static_assert(again<keeping_nothing> == 2 && kept<keeping_nothing> == 1);
static_assert(again<saving<policies::nothing_saveable>> == 2 && kept<saving<policies::nothing_saveable>> == 1);
static_assert(again<saving<policies::everything_saveable>> == 0);
static_assert(again<saving<policies::dots_saveable>> == 0 && kept<saving<policies::dots_saveable>> == 3);
static_assert(again<saving<policies::dots_with_no_batch_dims_saveable>> == 0);
static_assert(again<saving<first_and_dots>> == 0);
// The first product is not needed where `first` is kept, tanh gives its slope; the second one is.
static_assert(again<saving<only_first>> == 1 && kept<saving<only_first>> == 2);
static_assert(again<saving<but_first>> == 1);
static_assert(again<saving<own>> == 0);
// A loop stacks what is saved in each turn.
static_assert(again<looped<keeping_nothing>> == 8 && again<looped<saving<policies::dots_saveable>>> == 0);
static_assert(kept<looped<keeping_nothing>> < kept<looped<saving<policies::dots_saveable>>> &&
              kept<looped<saving<policies::dots_saveable>>> < kept<looped<as_written>>);

// remat_to keeps what spares most work: one product for each value that fits, then what is cheaper.
template <std::int64_t Bytes>
using within = saving<ts::remat_to<Bytes>>;
static_assert(again<within<0>> == 2 && kept<within<0>> == 1);
static_assert(again<within<value>> == 1 && kept<within<value>> == 2);
static_assert(again<within<2 * value>> == 0 && kept<within<2 * value>> == 3);
static_assert(ts::work_of<gradient<within<8 * value>>, x_type, w_type>.flops() ==
              ts::work_of<gradient<as_written>, x_type, w_type>.flops());
static_assert(again<looped<within<value>>> == 4);

}  // namespace
