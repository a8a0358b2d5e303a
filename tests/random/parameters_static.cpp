// SPDX-License-Identifier: Apache-2.0
// What distributions with parameters refuse, and the types that parameters give their draws.

#include <tessera/types.hpp>

namespace {

namespace ts = tessera;
namespace rd = ts::random;
using ts::reason;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using key_type = rd::prng_key<ts::array_type<ts::uint32, ts::shape<2>, ts::P<ts::none>, grid>>;
using row = ts::array_type<double, ts::shape<8>, ts::P<dp>, grid>;
using column = ts::array_type<float, ts::shape<3, 1>, ts::P<ts::none, ts::none>, grid>;
using number = ts::array_type<float, ts::shape<>, ts::P<>, grid>;

template <class F, class... A>
constexpr reason why = ts::trace_of<F, key_type, A...>::kept.refused.what.why;
struct whole_numbers_of_gamma {
  constexpr auto operator()(auto key, auto a) const { return rd::gamma<ts::int32, 8>(key, a); }
};
struct complex_degrees {
  constexpr auto operator()(auto key, auto a) const { return rd::t<float>(key, ts::astype<ts::complex64>(a)); }
};
struct tries_of_real_numbers {
  constexpr auto operator()(auto key, auto p) const { return rd::geometric<float>(key, p); }
};
struct signs_without_one {
  constexpr auto operator()(auto key, auto) const { return rd::rademacher<ts::uint32, 8>(key); }
};
struct shares_of_a_number {
  constexpr auto operator()(auto key, auto a) const { return rd::dirichlet<float>(key, a); }
};
struct read_twice {
  constexpr auto operator()(auto key, auto a) const { return rd::beta<float>(key, a, 2.0) + rd::t<float>(key, a); }
};
struct slope_of_the_slope {
  constexpr auto operator()(auto key, auto a) const {
    return ts::grad([&](auto x) { return ts::grad([&](auto y) { return rd::gamma<float>(rd::clone(key), y); })(x); })(
        a);
  }
};
struct of_a_batch {
  constexpr auto operator()(auto key, auto) const { return rd::normal<float, 8>(rd::split_batch<8>(key)); }
};
struct of_one_word {
  constexpr auto operator()(auto key, auto) const {
    return ts::vmap([](auto one) { return rd::normal<float>(one); })(key);
  }
};

static_assert(why<whole_numbers_of_gamma, row> == reason::element_unsupported);
static_assert(why<complex_degrees, row> == reason::element_unsupported);
static_assert(why<tries_of_real_numbers, row> == reason::element_unsupported);
static_assert(why<signs_without_one, row> == reason::element_unsupported);
static_assert(why<shares_of_a_number, number> == reason::ranks_disagree);
static_assert(why<read_twice, row> == reason::key_used_twice);
static_assert(why<of_a_batch, row> == reason::not_one_key);
static_assert(why<of_one_word, row> == reason::not_one_key);
static_assert(why<slope_of_the_slope, number> == reason::not_differentiable);

// Of both parameters the shape, of the one that is split the layout, of neither the element type.
struct of_both {
  constexpr auto operator()(auto key, auto a, auto b) const { return rd::f<float>(key, a, b); }
};
static_assert(why<of_both, row, column> == reason::none);
static_assert(ts::type_text<ts::trace_of<of_both, key_type, row, column>::result> == "float32[3,8@dp]");

}  // namespace
