// SPDX-License-Identifier: Apache-2.0
// nightly
// Random convolutions with their gradients, in random layouts: as one step each, and as the steps of windows and
// products, against loops over whole arrays.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/op/ops.hpp>

#include "support/whole_program.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;
using oracle::ints;

struct convolution {
  int spatial = 1;
  bool nhwc = false;
  std::int64_t n = 1, groups = 1, channels = 1, features = 1;  // channels and features of a group
  ints extent, size, stride, dilation, spread, low, high;
  ints places() const {
    ints all;
    for (std::size_t i = 0; i < extent.size(); ++i) {
      auto const wide = (extent[i] - 1) * spread[i] + 1 + low[i] + high[i];
      auto const left = wide - (size[i] - 1) * dilation[i] - 1;
      all.push_back(left < 0 ? 0 : left / stride[i] + 1);
    }
    return all;
  }
  ints shape(std::int64_t first, std::int64_t second, ints const& rest) const {
    ints all{first};
    if (!nhwc) all.push_back(second);
    all.insert(all.end(), rest.begin(), rest.end());
    if (nhwc) all.push_back(second);
    return all;
  }
  ints images() const { return shape(n, groups * channels, extent); }
  ints result() const { return shape(n, groups * features, places()); }
  ints kernel() const {
    ints all{groups * features, channels};
    if (nhwc) all.clear();
    all.insert(all.end(), size.begin(), size.end());
    if (nhwc) all.insert(all.end(), {channels, groups * features});
    return all;
  }
  // f(index of an image's element, of a kernel's element, of a result's element) for each that are multiplied.
  template <class F>
  void each(F f) const {
    ints all{n, groups, features, channels};
    ints const out = places();
    all.insert(all.end(), out.begin(), out.end());
    all.insert(all.end(), size.begin(), size.end());
    oracle::for_each_index(all, [&](ints const& at) {
      ints x, of, place;
      auto const dims = static_cast<std::size_t>(spatial);
      for (std::size_t i = 0; i < dims; ++i) {
        auto const p = at[4 + i], k = at[4 + dims + i], from = p * stride[i] + k * dilation[i] - low[i];
        if (from < 0 || from % spread[i] != 0 || from / spread[i] >= extent[i]) return;
        x.push_back(from / spread[i]);
        of.push_back(k);
        place.push_back(p);
      }
      ints kernel{at[1] * features + at[2], at[3]};
      if (nhwc) kernel.clear();
      kernel.insert(kernel.end(), of.begin(), of.end());
      if (nhwc) kernel.insert(kernel.end(), {at[3], at[1] * features + at[2]});
      f(shape(at[0], at[1] * channels + at[3], x), kernel, shape(at[0], at[1] * features + at[2], place));
    });
  }
};

std::string text_of(convolution const& c) {
  std::string text = c.nhwc ? "nhwc" : "nchw";
  auto const add = [&](char const* name, ints const& list) {
    text += std::string(", ") + name;
    for (auto v : list) text += " " + std::to_string(v);
  };
  add("n groups channels features", {c.n, c.groups, c.channels, c.features});
  add("extent", c.extent), add("size", c.size), add("stride", c.stride), add("dilation", c.dilation);
  add("spread", c.spread), add("low", c.low), add("high", c.high);
  return text;
}

class maker {
public:
  explicit maker(unsigned seed) : engine_(seed) {}

  convolution any() {
    convolution c;
    c.spatial = 1 + below(3);
    c.nhwc = chance(40);
    c.n = one_of({1, 2, 3, 4, 6});
    c.groups = one_of({1, 1, 1, 2, 3});
    c.channels = one_of({1, 2, 3, 4, 5, 8, 16});
    c.features = one_of({1, 2, 3, 4, 6, 16, 17});
    for (int i = 0; i < c.spatial; ++i) {
      c.extent.push_back(one_of({1, 4, 5, 6, 8, 12}));
      c.size.push_back(one_of({1, 2, 3, 3, 5}));
      c.stride.push_back(one_of({1, 1, 1, 2, 3}));
      c.dilation.push_back(chance(20) ? 2 : 1);
      c.spread.push_back(chance(10) ? 2 : 1);
      bool const same = chance(50);
      auto const reach = (c.size.back() - 1) * c.dilation.back();
      c.low.push_back(same ? reach / 2 : one_of({0, 0, 1, 2, -1}));
      c.high.push_back(same ? reach - reach / 2 : one_of({0, 0, 1, 3, -1}));
    }
    return c;
  }
  // A layout that splits one or two dimensions of the array where it can.
  ts::array_value argument(ts::mesh_value const& mesh, ints const& extents, ts::dtype element, int dims) {
    ts::array_value v;
    v.element = element;
    for (auto e : extents) v.add_dim(e);
    for (int a = 0; a < mesh.rank; ++a)
      if (int const d = below(dims + 1); d < dims && v.entry(d).empty() && v.extent(d) % mesh.size(a) == 0)
        v.entry(d).append(a);
    return v;
  }
  bool chance(int percent) { return below(100) < percent; }

private:
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  std::int64_t one_of(std::initializer_list<std::int64_t> all) {
    return *(all.begin() + below(static_cast<int>(all.size())));
  }
  std::mt19937 engine_;
};

ts::attributes options_of(convolution const& c) {
  ops::conv_params asked;
  for (int i = 0; i < c.spatial; ++i) {
    auto const at = static_cast<std::size_t>(i);
    asked.strides[i] = c.stride[at];
    asked.dilations[i] = c.dilation[at];
    asked.lhs_dilations[i] = c.spread[at];
    asked.pads.push_back(c.low[at]);
    asked.pads.push_back(c.high[at]);
  }
  asked.padding = ops::window_padding::given;
  asked.groups = c.groups;
  asked.nhwc = c.nhwc;
  return asked;
}

int steps_seen[4]{};  // by ts::detail::convolution_kind
int windows_seen = 0;

void count_steps(ts::plan_view const& plan) {
  for (int s = 0; s < plan.step_count; ++s) {
    auto const id = plan.steps[s].node;
    if (plan.steps[s].kind == ts::step_kind::convolution)
      ++steps_seen[static_cast<int>(ts::detail::convolution_reader(plan.local).at(id).kind)];
    else if (plan.local[id].op->cuts_windows || plan.local[id].op->adds_windows)
      ++windows_seen;
  }
}

void compare(unsigned seed, std::vector<std::int64_t> const& sizes) {
  maker random(seed);
  convolution const c = random.any();
  std::int64_t work = c.n * c.groups * c.channels * c.features;
  for (auto list : {c.places(), c.size})
    for (auto length : list) work *= length;
  if (work <= 0 || work > 300'000) return;
  ts::dtype const element = random.chance(60) ? ts::dtype::float32 : ts::dtype::float64;
  ts::builder b;
  auto& mesh = b.recorded.mesh;
  for (auto s : sizes) {
    auto const i = static_cast<std::size_t>(mesh.rank++);
    mesh.sizes[i] = s;
    mesh.kinds[i] = ts::axis_kind::explicit_;
    mesh.names[i] = i == 0 ? "a" : "b";
  }
  int const split =
      c.nhwc || !random.chance(50) ? 1 : 2 + c.spatial;  // dimensions that may be split: the images, or all
  auto x_facts = random.argument(mesh, c.images(), element, split);
  if (!c.nhwc) x_facts.entry(1) = {};
  ts::term const x = b.argument(ts::info<ops::argument>, x_facts);
  ts::term const k = b.argument(ts::info<ops::argument>, random.argument(mesh, c.kernel(), element, 0));
  ts::term const y = b.make<ops::conv>({x, k}, options_of(c));
  if (b.refused.what.why != ts::reason::none) return;  // places that an axis does not divide
  ts::term const slope = b.argument(ts::info<ops::argument>, y.facts());
  int const arguments[]{x.id, k.id};
  ts::backward back(b, 0, arguments, 2);
  back.run(y.id, slope);
  ASSERT_EQ(b.refused.what.why, ts::reason::none) << "seed " << seed;
  for (int id : {y.id, back.cotangent(x.id), back.cotangent(k.id)}) b.recorded.outputs.push_back(id);

  auto const values = [&](ints const& extents, std::uint64_t of) {
    return oracle::cast(oracle::scattered(extents, -1, 1, 3 * seed + of), oracle::element::float32);
  };
  std::vector<oracle::tensor> const given{values(c.images(), 0), values(c.kernel(), 1), values(c.result(), 2)};
  std::vector<oracle::tensor> want{oracle::zeros(c.result()), oracle::zeros(c.images()), oracle::zeros(c.kernel())};
  c.each([&](ints const& in, ints const& of, ints const& out) {
    want[0][out] += given[0][in] * given[1][of];
    want[1][in] += given[2][out] * given[1][of];
    want[2][of] += given[2][out] * given[0][in];
  });
  double const allowed = element == ts::dtype::float32 ? 2e-5 : 1e-12;
  for (bool fuse : {true, false}) {
    auto const plan = ts::make_plan(b.recorded.view(), {.fuse = fuse});
    if (fuse) count_steps(plan.view());
    std::vector<oracle::tensor> got;
    ASSERT_NO_THROW(got = support::run_plan(plan.view(), b.recorded.view(), given)) << "seed " << seed;
    for (std::size_t i = 0; i < 3; ++i) {
      double largest = 1;
      for (double v : want[i].data) largest = std::max(largest, std::abs(v));
      ASSERT_LE(oracle::difference(got[i], want[i]), allowed * largest)
          << "seed " << seed << ", result " << i << (fuse ? ", as steps: " : ", not fused: ") << text_of(c);
    }
  }
}

TEST(random_convolutions, are_those_of_loops) {
  unsigned const seeds = std::getenv("TESSERA_NIGHTLY") ? 3000 : 150;
  for (unsigned seed = 0; seed < seeds && !HasFailure(); ++seed) {
    compare(2 * seed, {2, 2});
    compare(2 * seed + 1, {1, 3});
  }
  std::printf("%d results, %d gradients by images, %d by kernels; %d steps of windows\n", steps_seen[1], steps_seen[2],
              steps_seen[3], windows_seen);
  if (!ts::detail::convolutions_are_steps) return;
  for (int kind = 1; kind <= 3; ++kind) EXPECT_GT(steps_seen[kind], static_cast<int>(seeds / 3));
  EXPECT_EQ(windows_seen, 0);
}

}  // namespace
