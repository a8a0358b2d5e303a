// SPDX-License-Identifier: Apache-2.0
// Layouts that are asked for: of arrays, constants, host data, keys and nothing, at once, in jit, shard_map and vmap, over Auto, Explicit and
// mixed meshes. What comes is what was asked, and where JAX has the form, what comes there (layouts.txt). The rules of
// docs/placement.md, one by one.

#include "support/recorded_layouts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;
using recorded_layouts::layout;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using strict = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using mixed = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;

constexpr auto twice = [](auto x) { return x * 2; };
constexpr auto normal = [](auto key) { return ts::random::normal<float, 8, 4>(key); };
constexpr auto made = [] { return ts::zeros<float, 8, 4>(); };
constexpr auto beside = [](auto x) { return std::make_tuple(x, ts::zeros<float, 8, 4>()); };

template <class S, class M>
struct question {
  std::map<std::string, std::string> const& answers;
  std::string mesh_name, asked;
  std::vector<float> numbers = std::vector<float>(32, 1.5f);
  ts::device_mesh<M> mesh = ts::make_mesh<M>(ts::devices());

  template <class X>
  void came(std::string const& form, X const& x, double each, bool as_jax = true) const {
    EXPECT_EQ(layout(x), asked) << mesh_name << ", " << form;
    EXPECT_TRUE(x.mesh() == mesh);
    if (each >= 0) {
      EXPECT_EQ(x.to_host()[31], each) << mesh_name << ", " << form;
    }
    auto const line = answers.find("asked " + mesh_name + " " + asked + ", " + form);
    ASSERT_NE(line, answers.end()) << form;
    if (as_jax) {
      EXPECT_EQ(std::string(ts::typeof_(x).text()) + " " + layout(x), line->second) << form;
    }
  }
  void ask() const {
    ts::use_mesh const current{mesh};
    using out = ts::out_shardings<S>;
    auto const h = ts::host<8, 4>(numbers);
    auto const x = ts::device_put<P<mp>>(h, mesh);
    came("eager array", ts::device_put<S>(x), 1.5);
    came("eager constant", ts::device_put<S>(ts::zeros<float, 8, 4>(), mesh), 0);
    came("eager host", ts::device_put<S>(h, mesh), 1.5);
    constexpr auto program = ts::jit<out, M>(twice);
    came("jit array", ts::jit<out>(twice)(x), 3);
    came("jit constant", program(ts::ones<float, 8, 4>()), 2);
    came("jit host", program(h), 3);
    came("jit key", ts::jit<out, M>(normal)(ts::random::key(0)), -1);
    came("jit nothing", ts::jit<out, M>(made)(), 0);
    came("jit nothing", ts::jit<out>(made, mesh)(), 0);
    came("jit beside", std::get<1>(ts::jit<out>(beside)(x)), 0);
    // Over Auto axes JAX does nothing.
    came("device_put in jit array", ts::jit([](auto y) { return ts::device_put<S>(y); })(x), 1.5,
         std::is_same_v<M, strict>);
    constexpr auto region = ts::shard_map<ts::in_specs<S>, ts::out_specs<S>, M>(twice);
    came("shard_map array", region(ts::device_put<S>(h, mesh)), 3);
    // Over Explicit axes JAX refuses what is not there yet.
    came("shard_map host", region(h), 3, !std::is_same_v<M, strict>);
    came("shard_map constant", ts::asarray(region(ts::ones<float, 8, 4>())), 2, !std::is_same_v<M, strict>);
    came("vmap array", ts::jit<out>(ts::vmap(twice))(x), 3);
    came("vmap host", ts::jit<out, M>(ts::vmap(twice))(h), 3);
  }
};

class layouts_asked : public testing::Test {
protected:
  std::map<std::string, std::string> const answers_ = recorded_layouts::answers();
};
TEST_F(layouts_asked, over_auto_axes) {
  question<P<dp>, loose>{answers_, "auto", "dp"}.ask();
  question<P<mp, dp>, loose>{answers_, "auto", "mp dp"}.ask();
}
TEST_F(layouts_asked, over_explicit_axes) {
  question<P<dp>, strict>{answers_, "explicit", "dp"}.ask();
  question<P<mp, dp>, strict>{answers_, "explicit", "mp dp"}.ask();
}
TEST_F(layouts_asked, over_both_kinds) {
  question<P<dp>, mixed>{answers_, "mixed", "dp"}.ask();
  question<P<mp, dp>, mixed>{answers_, "mixed", "mp dp"}.ask();
}

}  // namespace
