// SPDX-License-Identifier: Apache-2.0
// A model declared once: types, values against JAX's (nn.txt, which record_nn.py wrote) in two layouts and on one device,
// what initializing sends, layers, stacked and repeated; draws like a tree.

#include <tessera/checkpoint.hpp>
#include <tessera/nn.hpp>

#include "support/on_grid.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace on_grid;
namespace nn = ts::nn;
using ts::none;
using ts::P;

std::map<std::string, std::vector<double>> recorded() {
  std::ifstream file(TESSERA_SOURCE_DIR "/tests/nn/nn.txt");
  std::map<std::string, std::vector<double>> found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (double x; words >> x;) found[name].push_back(x);
  }
  return found;
}

TESSERA_TREE(block, norm, up, down);
TESSERA_TREE(model, table, first, later, scale, head, half, cut);

// The model with hidden units split over an axis, or on one device.
template <class M, class Axis>
struct declared_on {
  template <class S, std::int64_t... E>
  using f32 = ts::array_type<float, ts::shape<E...>, S, M>;
  static constexpr auto norm = [] {
    auto made = nn::layer_norm<f32<P<none>, 8>>();
    return nn::layer_norm_layer{made.gain, nn::parameter<f32<P<none>, 8>>(nn::initializers::normal(0.3))};
  }();
  static constexpr block one{norm, nn::linear<f32<P<none, Axis>, 8, 16>>(nn::initializers::he_normal),
                             nn::linear<f32<P<Axis, none>, 16, 8>>(nn::initializers::glorot_uniform, nn::no_bias)};
  static constexpr model all{
      .table = nn::embedding<f32<P<none, none>, 10, 8>>(),
      .first = nn::repeated<2>(one),
      .later = nn::stacked<3>(one),
      .scale = nn::rms_norm<f32<P<none>, 8>>(),
      .head = nn::linear<f32<P<none, Axis>, 8, 6>>(),
      .half = nn::parameter<f32<P<Axis>, 4>>(nn::initializers::constant(0.5)),
      .cut = nn::parameter<f32<P<none, Axis>, 4, 2>>(nn::initializers::truncated_normal(0.2)),
  };
  struct first_parameters {
    constexpr auto operator()(auto key) const { return nn::initialize(all, key); }
  };
  using types = nn::types_of<decltype(all)>;
};
using on_mp = declared_on<grid, mp>;
using alone = declared_on<ts::no_mesh, none>;

// Out: the layout of what contracts the split dimension, if it is split.
template <class... Out>
struct logits {
  constexpr auto operator()(auto p, auto numbers) const {
    auto const apply = [](auto const& l, auto const& x) { return x + l.down(ts::tanh(l.up(l.norm(x))), Out{}...); };
    return p.head(p.scale(nn::through(apply, p.later, nn::through(apply, p.first, p.table(numbers)))));
  }
};
using summed = std::remove_const_t<decltype(ts::out_sharding<P<none, none>>)>;
auto numbers() { return ts::asarray({3, 1, 4, 1}); }

// Leaves against what JAX drew: normal numbers to 4 units in the last place of their largest.
template <class Parameters>
void expect_recorded(Parameters const& p) {
  auto const want = recorded();
  int leaves = 0;
  ts::tree_each_with_path(
      [&](std::string const& path, auto const& leaf) {
        SCOPED_TRACE(path);
        ASSERT_TRUE(want.contains(path));
        expect(leaf, want.at(path), 2e-6);
        ++leaves;
      },
      p);
  EXPECT_EQ(leaves, 21);
}

TEST(models, drawn_as_by_jax) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const p = ts::jit<on_mp::first_parameters>(ts::random::key(7));
  static_assert(ts::type_text<decltype(p.later.up.w)> == "float32[3,8,16@mp]");
  static_assert(ts::type_text<decltype(p.first[1].down.w)> == "float32[16@mp,8]");
  static_assert(ts::type_text<decltype(p.head.b)> == "float32[6@mp]");
  static_assert(std::is_same_v<decltype(p.later.down.b), ts::no_leaf>);
  expect_recorded(p);
  expect(ts::jit<logits<summed>>(p, numbers()), recorded().at("logits"), 2e-5);

  auto const one = ts::jit<alone::first_parameters>(ts::random::key(7));
  expect_recorded(one);
  expect(ts::jit<logits<>>(one, numbers()), recorded().at("logits"), 2e-5);
}

// The types of parameters are those of the arrays that initialize makes, and drawing them sends nothing.
TEST(models, types_are_known_before) {
  using key = decltype(ts::random::key(0));
  using drawn = ts::eval_shape<on_mp::first_parameters, key>;
  static_assert(std::is_same_v<drawn, on_mp::types>);
  static_assert(ts::comm_of<on_mp::first_parameters, key>.messages().empty());
  static_assert(
      std::is_same_v<ts::eval_shape<logits<summed>, on_mp::types, ts::array_type<int, ts::shape<4>, P<>, grid>>,
                     ts::array_type<float, ts::shape<4, 6>, P<none, mp>, grid>>);
}

#ifndef TESSERA_BY_DAY
// A tree of a declared model: gradients, the optimizer's state, a checkpoint with places that have no leaf.
TEST(models, trained_saved_and_back) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const p = ts::jit<on_mp::first_parameters>(ts::random::key(7));
  auto const slope = ts::grad([](auto p, auto n) { return ts::sum(ts::square(logits<summed>{}(p, n))); })(p, numbers());
  static_assert(std::is_same_v<decltype(slope), std::remove_const_t<decltype(p)> const>);
  auto const folder = std::filesystem::temp_directory_path() / "tessera_models_test";
  ts::save(folder.string(), slope);
  auto const again = ts::restore<std::remove_const_t<decltype(slope)>>(folder.string(), mesh);
  std::filesystem::remove_all(folder);
  expect(again.later.up.w, [&] {
    auto const v = slope.later.up.w.to_host();
    return std::vector<double>(v.begin(), v.end());
  }());
}

template <auto Initializer, class T>
struct drawn_by {
  constexpr auto operator()(auto key) const { return Initializer(key, T{}); }
};
template <class T, auto Initializer>
void expect_drawn(std::string const& name) {
  SCOPED_TRACE(name);
  auto const got = ts::jit<drawn_by<Initializer, T>>(ts::random::key(7));
  static_assert(std::is_same_v<typename decltype(got)::type, T>);
  expect(got, recorded().at(name), 3e-6);
}
TEST(models, initializers_as_jax) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  using kernels = ts::array_type<float, ts::shape<2, 6, 4>, P<mp, none, dp>, grid>;
  namespace of = nn::initializers;
  expect_drawn<kernels, of::glorot_uniform>("glorot_uniform");
  expect_drawn<kernels, of::glorot_normal>("glorot_normal");
  expect_drawn<kernels, of::he_uniform>("he_uniform");
  expect_drawn<kernels, of::he_normal>("he_normal");
  expect_drawn<kernels, of::lecun_uniform>("lecun_uniform");
  expect_drawn<kernels, of::lecun_normal>("lecun_normal");
  expect_drawn<kernels, of::he_normal(of::batch_axis<0>)>("stacked_he_normal");
  expect_drawn<kernels, of::glorot_uniform(of::in_axis<2>, of::out_axis<1>, of::batch_axis<0>)>(
      "stacked_glorot_uniform");
  expect_drawn<kernels, of::lecun_normal(of::in_axis<0, 1>)>("split_lecun_normal");
  expect_drawn<kernels, of::he_uniform(of::in_axis<0>, of::out_axis<1, -1>)>("split_he_uniform");
  expect_drawn<kernels, of::variance_scaling<of::fan_out, of::as_normal>(3.0)>("variance_scaling_normal");
  expect_drawn<kernels, of::variance_scaling<of::fan_avg, of::as_uniform>(
                            0.5, of::in_axis<1>, of::out_axis<0>, of::batch_axis<2>)>("variance_scaling_uniform");
  expect_drawn<kernels, of::variance_scaling<of::fan_in, of::as_truncated_normal>(2.0)>("variance_scaling_truncated");
  expect_drawn<kernels, of::uniform(0.3)>("uniform");
  expect_drawn<ts::array_type<float, ts::shape<6, 4>, P<mp, dp>, grid>, of::orthogonal>("orthogonal_6");
  expect_drawn<ts::array_type<float, ts::shape<4, 6>, P<dp, mp>, grid>, of::orthogonal>("orthogonal_4");
}

TEST(models, draws_like_a_tree) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const p = ts::jit<on_mp::first_parameters>(ts::random::key(7));
  auto const normal = ts::random::normal_like(ts::random::key(7), p);
  static_assert(std::is_same_v<decltype(normal), decltype(p)>);
  auto const want = recorded();
  expect(normal.head.w, want.at("normal_like"), 2e-6);
  auto const [uniform, sign] = ts::jit([](auto key, auto p) {
    return std::tuple{ts::random::uniform_like(ts::random::clone(key), p), ts::random::rademacher_like(key, p)};
  })(ts::random::key(7), p);
  static_assert(std::is_same_v<decltype(uniform.head.w), decltype(p.head.w)>);
  expect(uniform.head.w, want.at("uniform_like"), 1e-6);
  expect(sign.head.w, want.at("rademacher_like"), 0);
  auto const nothing = ts::zeros_like(p), all = ts::full_like(p, 3);
  static_assert(std::is_same_v<decltype(nothing), decltype(p)>);
  expect(nothing.half, std::vector<double>(4, 0));
  expect(all.half, std::vector<double>(4, 3));
  expect(ts::ones_like(p).half, std::vector<double>(4, 1));
}

// Frozen parameters: an optimizer of the trained half, whose state has no leaf for the others.
struct half_step {
  constexpr auto operator()(auto trained, auto frozen, auto n) const {
    auto const adam = ts::train::adamw();
    auto const state = adam.init(trained);
    auto const slope = ts::grad([](auto trained, auto frozen, auto n) {
      return ts::sum(ts::square(logits<summed>{}(ts::tree_combine(trained, frozen), n)));
    })(trained, frozen, n);
    return adam.update(ts::train::clip_by_global_norm(slope, 1.0), state, trained, 0.1);
  }
};
TEST(models, half_is_trained) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const p = ts::jit<on_mp::first_parameters>(ts::random::key(7));
  auto const [heads, others] = ts::tree_partition([](auto path, auto) { return path.text.starts_with("head"); }, p);
  auto const [updated, state] = ts::jit<half_step>(heads, others, numbers());
  static_assert(std::is_same_v<decltype(updated), std::remove_const_t<decltype(heads)> const>);
  static_assert(std::is_same_v<decltype(state.mean.table.table), ts::no_leaf>);
  EXPECT_NE(updated.head.w.to_host(), p.head.w.to_host());
  auto const whole = ts::tree_combine(updated, others);
  static_assert(std::is_same_v<decltype(whole), std::remove_const_t<decltype(p)> const>);
}
#endif

}  // namespace
