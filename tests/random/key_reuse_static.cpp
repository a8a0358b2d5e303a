// SPDX-License-Identifier: Apache-2.0
// What reads a key twice, and what does not: keys of a split, of fold_in and clone, constants, loops, branches, transformations.

#include <tessera/types.hpp>

namespace {

namespace ts = tessera;
namespace rd = ts::random;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using key_type = rd::prng_key<ts::array_type<ts::uint32, ts::shape<2>, ts::P<ts::none>, grid>>;
using rows = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, ts::none>, grid>;

template <class F, class... A>
constexpr bool fine = ts::trace_of<F, A...>::kept.refused.what.why == ts::reason::none;
template <class F, class... A>
constexpr bool twice = ts::trace_of<F, A...>::kept.refused.what.why == ts::reason::key_used_twice;

constexpr auto draw(auto const& key) { return rd::normal<float, 8>(key); }

struct of_both_parts {
  constexpr auto operator()(auto key) const {
    auto [a, b] = rd::split(key);
    return draw(a) + draw(b);
  }
};
struct of_a_part_and_the_whole {
  constexpr auto operator()(auto key) const {
    auto [a, b] = rd::split(key);
    return draw(a) + draw(key);
  }
};
struct of_one_part_twice {
  constexpr auto operator()(auto key) const {
    auto [a, b] = rd::split(key);
    return draw(a) + draw(a);
  }
};
struct of_many_parts {
  constexpr auto operator()(auto key) const {
    auto const keys = rd::split<4>(key);
    auto sum = draw(keys[0]);
    for (std::size_t i = 1; i < 4; ++i) sum += draw(keys[i]);
    return sum;
  }
};
struct of_a_clone {
  constexpr auto operator()(auto key) const { return draw(rd::clone(key)) + draw(rd::clone(key)) + draw(key); }
};
struct of_folds {
  constexpr auto operator()(auto key) const {
    return draw(rd::fold_in(key, 1)) + draw(rd::fold_in(key, 2)) + draw(key);
  }
};
struct of_one_fold_twice {
  constexpr auto operator()(auto key) const { return draw(rd::fold_in(key, 1)) + draw(rd::fold_in(key, 1)); }
};
struct of_a_constant {
  constexpr auto operator()(auto key) const {
    auto const c = rd::key(3);
    return rd::uniform<float, 8>(c) + draw(c) + draw(key);
  }
};
static_assert(fine<of_both_parts, key_type> && fine<of_many_parts, key_type> && fine<of_a_clone, key_type> &&
              fine<of_folds, key_type>);
static_assert(twice<of_a_part_and_the_whole, key_type> && twice<of_one_part_twice, key_type> &&
              twice<of_one_fold_twice, key_type> && twice<of_a_constant, key_type>);

struct in_each_turn {
  constexpr auto operator()(auto key, auto x) const {
    return ts::fori_loop(
        0, 3, [&](auto, auto v) { return v + rd::normal<float, 8, 4>(key); }, x);
  }
};
struct folded_in_each_turn {
  constexpr auto operator()(auto key, auto x) const {
    return ts::fori_loop(
        0, 3, [&](auto i, auto v) { return v + rd::normal<float, 8, 4>(rd::fold_in(key, i)); }, x);
  }
};
struct carried_as_it_is {
  constexpr auto operator()(auto key, auto x) const {
    auto const body = [](auto carry, auto row) {
      auto [k, v] = carry;
      return std::tuple{std::tuple{k, v + row * rd::normal<float, 4>(k)}, row};
    };
    return ts::scan(body, std::tuple{key, ts::zeros<float, 4>()}, ts::reshard<ts::P<>>(x));
  }
};
struct carried_on {
  constexpr auto operator()(auto key, auto x) const {
    auto const body = [](auto carry, auto row) {
      auto [k, v] = carry;
      auto [next, now] = rd::split(k);
      return std::tuple{std::tuple{next, v + row * rd::normal<float, 4>(now)}, row};
    };
    return ts::scan(body, std::tuple{key, ts::zeros<float, 4>()}, ts::reshard<ts::P<>>(x));
  }
};
struct in_either_branch {
  constexpr auto operator()(auto key, auto x) const {
    constexpr ts::out_sharding_t<ts::P<dp>> out{};
    return ts::cond(
        ts::sum(x) > 0, [&](auto v) { return v + rd::normal<float, 8, 4>(key, out); },
        [&](auto v) { return v - rd::normal<float, 8, 4>(key, out); }, x);
  }
};
struct in_a_gradient {
  constexpr auto operator()(auto key, auto x) const {
    return ts::value_and_grad([&](auto v) { return ts::sum(ts::exp(v * rd::normal<float, 8, 4>(key))); })(x);
  }
};
struct of_a_batch {
  constexpr auto operator()(auto key, auto x) const {
    auto const keys = rd::split_batch<8>(key);
    return ts::vmap([](auto k, auto row) { return row * rd::uniform<float, 4>(k); })(keys, ts::reshard<ts::P<>>(x));
  }
};
template <int Other>
struct of_parts_of_a_batch {
  constexpr auto operator()(auto key, auto x) const {
    auto const draw = [](auto k, auto row) {
      auto const parts = rd::split<3>(k);
      return row * rd::uniform<float, 4>(parts[0]) + rd::uniform<float, 4>(parts[Other]);
    };
    return ts::vmap(draw)(rd::split_batch<8>(key), ts::reshard<ts::P<>>(x));
  }
};
struct of_a_batch_of_batches {
  constexpr auto operator()(auto key, auto x) const {
    auto const each = [](auto k) {
      auto const [a, b] = rd::split(k);
      return rd::uniform<float>(a) + rd::normal<float>(b);
    };
    auto const rows = [each](auto k) { return ts::vmap(each)(rd::split_batch<4>(k)); };
    return x + ts::reshard<ts::P<dp>>(ts::vmap(rows)(rd::split_batch<8>(key)));
  }
};
static_assert(fine<of_parts_of_a_batch<1>, key_type, rows> && fine<of_parts_of_a_batch<2>, key_type, rows> &&
              twice<of_parts_of_a_batch<0>, key_type, rows> && fine<of_a_batch_of_batches, key_type, rows>);
static_assert(twice<in_each_turn, key_type, rows> && twice<carried_as_it_is, key_type, rows>);
static_assert(fine<folded_in_each_turn, key_type, rows> && fine<carried_on, key_type, rows> &&
              fine<in_either_branch, key_type, rows> && fine<in_a_gradient, key_type, rows> &&
              fine<of_a_batch, key_type, rows>);

}  // namespace
