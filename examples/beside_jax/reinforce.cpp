// SPDX-License-Identifier: Apache-2.0
// REINFORCE with a learned baseline on a grid world that is simulated in the program: an agent walks to a corner of a
// 5 x 5 grid, around pits. Environments are split over 8 devices, each with keys of its own; gradients are summed over
// them.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::auto_axis<dp, 8>>;

constexpr std::int64_t side = 5, environments = 256, horizon = 20, updates = 121;
constexpr float discount = 0.95f;
constexpr auto goal = ts::constant({4, 4});
constexpr auto pits = ts::constant({{1, 1}, {2, 3}, {3, 1}});

TESSERA_TREE(parameters, policy, value);

constexpr auto move(auto place, auto action) {
  auto const by = [](auto step) { return [=](auto p) { return p + step; }; };
  auto const moves = std::tuple{by(ts::constant({-1, 0})), by(ts::constant({1, 0})), by(ts::constant({0, -1})),
                                by(ts::constant({0, 1}))};
  return ts::clip(ts::switch_(action, moves, place), 0, side - 1);
}

constexpr auto state_of(auto place) { return place.at(0).get() * side + place.at(1).get(); }

// One environment, one walk: what was seen, done and received in each step.
constexpr auto episode = [](auto p, auto key) {
  auto const step = [&](auto carry, auto key) {
    auto const [place, done] = carry;
    auto const action = ts::random::categorical(key, p.policy.at(state_of(place)).get());
    auto const next = ts::cond(
        done, [place = place] { return place; }, [&, place = place] { return move(place, action); });
    auto const at_goal = ts::all(next == goal), in_pit = ts::any(ts::all<1>(next == pits));
    auto const reward = ts::where(done, 0.0f, ts::where(at_goal, 1.0f, ts::where(in_pit, -1.0f, -0.02f)));
    return std::tuple{std::tuple{next, done | at_goal | in_pit}, std::tuple{state_of(place), action, reward, ~done}};
  };
  auto const [start, walk] = ts::random::split(key);
  auto const first = ts::random::randint<ts::int32, 2>(start, 0, 2) * ts::constant({1, 0});  // the upper left, or below
  return std::get<1>(ts::scan(step, std::tuple{first, false}, ts::random::split_batch<horizon>(walk)));
};

constexpr auto returns_of(auto rewards) {
  auto const back = [](auto later, auto reward) {
    auto const now = reward + discount * later;
    return std::tuple{now, now};
  };
  return std::get<1>(ts::scan(back, 0.0f, rewards, ts::reversed));
}

constexpr auto loss = [](auto p, auto states, auto actions, auto returns, auto alive) {
  auto const of_step = [&](auto state, auto action, auto gain, auto alive) {
    auto const log_p = ts::log_softmax(p.policy.at(state).get()).at(action).get();
    auto const advantage = gain - p.value.at(state).get();
    return alive * (-log_p * ts::stop_gradient(advantage) + 0.5f * advantage * advantage);
  };
  return ts::mean(ts::sum<1>(ts::vmap(ts::vmap(of_step))(states, actions, returns, alive)));
};

constexpr ts::train::adam optimizer;

constexpr auto update = [](auto state, auto key) {
  auto const [p, moments] = state;
  auto const keys = ts::with_sharding_constraint<ts::P<dp>>(ts::random::split_batch<environments>(key));
  auto const [states, actions, rewards, alive] = ts::vmap<ts::in_axes<ts::unmapped, 0>>(episode)(p, keys);
  auto const returns = ts::vmap([](auto r) { return returns_of(r); })(rewards);
  auto const gradient = ts::grad(loss)(p, states, actions, returns, alive);
  auto const reached = ts::mean(ts::sum<1>(rewards == 1));
  return std::tuple{optimizer.update(gradient, moments, p, 0.05),
                    std::tuple{ts::mean(returns.at(ts::every, 0).get()), reached}};
};

constexpr auto train = [](auto key) {
  auto const p = parameters{ts::zeros<float, side * side, 4>(), ts::zeros<float, side * side>()};
  return ts::scan(update, std::tuple{p, optimizer.init(p)}, ts::random::split_batch<updates>(key));
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<line>(ts::devices())};
  auto const key = ts::device_put<ts::P<>, line>(ts::random::key(0));
  static_assert(ts::comm_of<decltype(train), decltype(key)>.count() == updates);  // one all_reduce each
  auto const [state, history] = ts::jit<train>(key);
  auto const [returns, reached] = ts::device_get(history);
  for (int i = 0; i < updates; i += 20)
    std::printf("update %3d  mean return %6.3f  goal reached %.3f\n", i, returns[i], reached[i]);
  auto const& p = std::get<0>(state);
  std::printf("value of the start %.3f\n", p.value.at(0).get().item());
  auto const arrows = ts::argmax<1>(p.policy).to_host();
  for (int i = 0; i < 2 * side; ++i) std::printf(i % side == side - 1 ? "%c\n" : "%c", "^v<>"[arrows[i]]);
}
