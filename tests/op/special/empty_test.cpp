// SPDX-License-Identifier: Apache-2.0
// Operations on arrays without elements, on one device and on four: the results that JAX 0.10.2 gives.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

namespace {

namespace ts = tessera;
using ts::P;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

// "float32[2] 0 0", each leaf of a tree; a NaN has no sign.
template <class X>
std::string text(X const& x) {
  std::ostringstream all;
  ts::tree_each(
      [&](auto const& leaf) {
        auto const made = ts::asarray(leaf);
        all << (all.str().empty() ? "" : " | ") << ts::type_text<typename decltype(made)::type>;
        for (auto const e : made.to_host())
          if (auto const v = static_cast<double>(e); std::isnan(v))
            all << " nan";
          else
            all << ' ' << v;
      },
      x);
  return all.str();
}

auto none() { return ts::asarray(ts::zeros<float, 0>()); }
auto rows() { return ts::asarray(ts::zeros<float, 0, 3>()); }
auto columns() { return ts::asarray(ts::zeros<float, 2, 0>()); }
auto three() { return ts::asarray({1.f, 2.f, 3.f}); }
auto places() { return ts::asarray(ts::zeros<int, 0>()); }

TEST(empty, reductions) {
  EXPECT_EQ(text(ts::sum(none())), "float32[] 0");
  EXPECT_EQ(text(ts::prod(none())), "float32[] 1");
  EXPECT_EQ(text(ts::mean(none())), "float32[] nan");
  EXPECT_EQ(text(ts::var(none())), "float32[] nan");
  EXPECT_EQ(text(ts::any(none() > 0)), "bool[] 0");
  EXPECT_EQ(text(ts::all(none() > 0)), "bool[] 1");
  EXPECT_EQ(text(ts::sum<0>(rows())), "float32[3] 0 0 0");
  EXPECT_EQ(text(ts::sum<1>(rows())), "float32[0]");
  EXPECT_EQ(text(ts::max<0>(columns())), "float32[0]");
  EXPECT_EQ(text(ts::mean<1>(columns())), "float32[2] nan nan");
  EXPECT_EQ(text(ts::logsumexp<1>(columns())), "float32[2] -inf -inf");
  EXPECT_EQ(text(ts::argmax<1>(rows())), "int32[0]");
  EXPECT_EQ(text(ts::norm(none())), "float32[] 0");
}

TEST(empty, along_dimensions) {
  EXPECT_EQ(text(ts::cumsum<0>(rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::softmax<0>(none())), "float32[0]");
  EXPECT_EQ(text(ts::softmax<1>(rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::sort(none())), "float32[0]");
  EXPECT_EQ(text(ts::argsort<1>(rows())), "int32[0,3]");
  EXPECT_EQ(text(ts::top_k<0>(three())), "float32[0] | int32[0]");
  EXPECT_EQ(text(ts::searchsorted(three(), none())), "int32[0]");
  EXPECT_EQ(text(ts::interp(none(), three(), three())), "float32[0]");
}

TEST(empty, products) {
  EXPECT_EQ(text(ts::matmul(columns(), rows())), "float32[2,3] 0 0 0 0 0 0");
  EXPECT_EQ(text(ts::matmul(rows(), ts::ones<float, 3, 2>())), "float32[0,2]");
  EXPECT_EQ(text(ts::dot(none(), none())), "float32[] 0");
  EXPECT_EQ(text(ts::outer(none(), three())), "float32[0,3]");
  EXPECT_EQ(text(ts::einsum<"ij,jk->ik">(columns(), rows())), "float32[2,3] 0 0 0 0 0 0");
  EXPECT_EQ(text(ts::conv(ts::asarray(ts::zeros<float, 0, 1, 5>()), ts::ones<float, 1, 1, 3>())), "float32[0,1,3]");
}

TEST(empty, shapes) {
  EXPECT_EQ(text(ts::concatenate<0>(none(), three())), "float32[3] 1 2 3");
  EXPECT_EQ(text(ts::stack(none(), none())), "float32[2,0]");
  EXPECT_EQ(text(ts::flip(none())), "float32[0]");
  EXPECT_EQ(text(ts::flip<0>(rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::flip<1>(rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::flip(columns())), "float32[2,0]");
  EXPECT_EQ(text(ts::roll<1, 0>(none())), "float32[0]");
  EXPECT_EQ(text(ts::pad(none(), 1.f, ts::low<1>, ts::high<2>)), "float32[3] 1 1 1");
  EXPECT_EQ(text(ts::reshape<3, 0>(rows())), "float32[3,0]");
  EXPECT_EQ(text(rows().T()), "float32[3,0]");
  EXPECT_EQ(text(ts::broadcast_to<2, 0, 3>(rows())), "float32[2,0,3]");
  EXPECT_EQ(text(rows() + three()), "float32[0,3]");
  EXPECT_EQ(text(ts::tile<2>(none())), "float32[0]");
  EXPECT_EQ(text(ts::repeat<2, 0>(none())), "float32[0]");
  EXPECT_EQ(text(ts::split<2>(none())), "float32[0] | float32[0]");
  EXPECT_EQ(text(ts::one_hot<3>(places())), "float32[0,3]");
}

#ifndef TESSERA_BY_DAY
TEST(empty, indices) {
  EXPECT_EQ(text(three().at(places()).get()), "float32[0]");
  EXPECT_EQ(text(three().at(places()).set(2.f)), "float32[3] 1 2 3");
  EXPECT_EQ(text(three().at(places()).add(none())), "float32[3] 1 2 3");
  EXPECT_EQ(text(ts::take<0>(three(), places())), "float32[0]");
  EXPECT_EQ(text(three().at(ts::span<1, 1>()).get()), "float32[0]");
  EXPECT_EQ(text(three().at(ts::span<1, 1>()).set(none())), "float32[3] 1 2 3");
  EXPECT_EQ(text(rows().at(ts::span<ts::to_end, ts::to_end, -1>()).get()), "float32[0,3]");
  EXPECT_EQ(text(rows().at(ts::span<0, ts::to_end, 2>(), ts::span<ts::to_end, ts::to_end, -2>()).get()),
            "float32[0,2]");
  EXPECT_EQ(text(columns().at(1, ts::span<ts::to_end, ts::to_end, -1>()).get()), "float32[0]");
  EXPECT_EQ(text(ts::segment_sum<3>(none(), places())), "float32[3] 0 0 0");
  EXPECT_EQ(text(ts::bincount<3>(places())), "int32[3] 0 0 0");
  EXPECT_EQ(text(ts::nonzero<2>(none())), "int32[2] 0 0");
}

TEST(empty, draws) {
  auto const key = ts::random::key(1);
  EXPECT_EQ(text(ts::random::normal<float, 2, 0>(key)), "float32[2,0]");
  EXPECT_EQ(text(ts::random::permutation(key, none())), "float32[0]");
  EXPECT_EQ(text(ts::random::permutation(key, rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::random::permutation(key, columns())), "float32[2,0]");
}

TEST(empty, matrices) {
  auto const square = ts::asarray(ts::zeros<float, 0, 0>());
  EXPECT_EQ(text(ts::inv(square)), "float32[0,0]");
  EXPECT_EQ(text(ts::cholesky(square)), "float32[0,0]");
  EXPECT_EQ(text(ts::det(square)), "float32[] 1");
  EXPECT_EQ(text(ts::solve(square, none())), "float32[0]");
  EXPECT_EQ(text(ts::svd(rows())), "float32[0,0] | float32[0] | float32[3,3] 1 0 0 0 1 0 0 0 1");
  EXPECT_EQ(text(ts::qr(columns())), "float32[2,0] | float32[0,0]");
  EXPECT_EQ(text(ts::eigh(square)), "float32[0] | float32[0,0]");
}

TEST(empty, loops_and_maps) {
  constexpr auto step = [](auto c, auto x) { return std::tuple{c + x, c * 2}; };
  EXPECT_EQ(text(ts::scan(step, 1.f, none())), "float32[] 1 | float32[0]");
  EXPECT_EQ(text(ts::scan(step, three(), rows())), "float32[3] 1 2 3 | float32[0,3]");
  EXPECT_EQ(text(ts::fori_loop(
                5, 2, [](auto i, auto c) { return c * i; }, three())),
            "float32[3] 1 2 3");
  EXPECT_EQ(text(ts::vmap([](auto x) { return ts::sum(x); })(rows())), "float32[0]");
  EXPECT_EQ(text(ts::vmap<ts::in_axes<1>>([](auto x) { return ts::sum(x); })(rows())), "float32[3] 0 0 0");
  EXPECT_EQ(text(ts::map([](auto x) { return ts::sum(x); }, rows())), "float32[0]");
  EXPECT_EQ(text(ts::associative_scan([](auto a, auto b) { return a + b; }, none())), "float32[0]");
}

TEST(empty, derivatives) {
  EXPECT_EQ(text(ts::grad([](auto x) { return ts::sum(x * x); })(none())), "float32[0]");
  EXPECT_EQ(text(ts::grad([](auto x) { return ts::sum(ts::flip(x) * x); })(rows())), "float32[0,3]");
  EXPECT_EQ(text(ts::grad([](auto x) { return ts::sum(ts::matmul(x, ts::zeros<float, 0, 3>())); })(columns())),
            "float32[2,0]");
  EXPECT_EQ(text(ts::jacfwd([](auto x) { return x * x; })(none())), "float32[0,0]");
  EXPECT_EQ(text(ts::jacrev([](auto x) { return ts::concatenate<0>(x, x); })(none())), "float32[0,0]");
  EXPECT_EQ(text(ts::jvp([](auto x) { return x * x; }, std::tuple{none()}, std::tuple{none()})),
            "float32[0] | float32[0]");
}

TEST(empty, over_devices) {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const split = ts::device_put<P<dp>>(ts::zeros<float, 0, 4>(), mesh);
  auto const across = ts::device_put<P<ts::none, dp>>(ts::zeros<float, 0, 4>(), mesh);
  EXPECT_EQ(text(split * 2), "float32[0@dp,4]");
  EXPECT_EQ(text(ts::sum<0>(split)), "float32[4] 0 0 0 0");
  EXPECT_EQ(text(ts::sum(split)), "float32[] 0");
  EXPECT_EQ(text(ts::reshard<P<ts::none, dp>>(split)), "float32[0,4@dp]");
  EXPECT_EQ(text(ts::matmul(across, across.T(), ts::out_sharding<P<>>)), "float32[0,0]");
  EXPECT_EQ(text(ts::concatenate<0>(split, split)), "float32[0@dp,4]");
  EXPECT_EQ(text(ts::flip<1>(split)), "float32[0@dp,4]");
  EXPECT_EQ(text(ts::flip<0>(split)), "float32[0@dp,4]");
  EXPECT_EQ(text(ts::softmax<1>(split)), "float32[0@dp,4]");
  EXPECT_EQ(text(ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<>>>(
                [](auto x) { return ts::psum<dp>(ts::sum(x)); })(split)),
            "float32[] 0");
}
#endif

}  // namespace
