// SPDX-License-Identifier: Apache-2.0
// Attention over a sequence that no device has whole. Queries stay where they are; keys and values go round a ring, and
// each device folds the block that has come into a running softmax. Forward and gradient equal dense attention.

#include "one_speaks.hpp"

#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <tuple>

namespace ts = tessera;

namespace {

struct sp : ts::axis {};  // splits the sequence
using line = ts::mesh<ts::explicit_axis<sp, 8>>;

constexpr std::int64_t heads = 2, length = 64, width = 16;

// softmax(q k^T / sqrt(width)) v, position t seeing those up to t: (heads, length, width) each.
struct dense_attention {
  constexpr auto operator()(auto q, auto k, auto v) const {
    auto const scores = ts::einsum<"hqd,hkd->hqk">(q, k) * scale();
    auto const seen = ts::iota<ts::int32, 0, length, length>() >= ts::iota<ts::int32, 1, length, length>();
    auto const weights = ts::softmax(ts::where(seen, scores, -1e30f));
    return ts::einsum<"hqk,hkd->hqd">(weights, v);
  }
  static constexpr float scale() { return 0.25f; }
};

// What has been folded in so far: top is the highest score of each query, sum and out are taken relative to it.
//   out = sum over keys of exp(score - top) value,  sum = sum over keys of exp(score - top)
struct fold {
  constexpr auto operator()(auto state, auto q, auto k, auto v, auto here, auto from) const {
    auto const& [out, sum, top] = state;
    constexpr auto block = decltype(q)::type::value.extent(1);
    auto const scores = ts::einsum<"hqd,hkd->hqk">(q, k) * dense_attention::scale();
    auto const query = here * block + ts::iota<ts::int32, 0, block, block>();
    auto const key = from * block + ts::iota<ts::int32, 1, block, block>();
    auto const masked = ts::where(query >= key, scores, -1e30f);
    auto const higher = ts::stop_gradient(ts::maximum(top, ts::max<2>(masked, ts::keepdims)));
    auto const weights = ts::exp(masked - higher);
    auto const shrink = ts::exp(top - higher);
    return std::tuple{out * shrink + ts::einsum<"hqk,hkd->hqd">(weights, v),
                      sum * shrink + ts::sum<2>(weights, ts::keepdims), higher};
  }
};

struct ring_attention {
  constexpr auto operator()(auto q, auto k, auto v) const {
    using split = ts::P<ts::none, sp>;
    return ts::shard_map<ts::in_specs<split, split, split>, ts::out_specs<split>>([](auto q, auto k, auto v) {
      static_assert(ts::type_text<decltype(q)> == "float32[2,8,16]{V:sp}");
      constexpr int n = static_cast<int>(ts::axis_size<sp>(q));
      auto const here = ts::axis_index<sp>(q);
      auto const none = ts::sum<2>(q, ts::keepdims) * 0;
      auto const own = fold{}(std::tuple{q * 0, none, none - 1e30f}, q, k, v, here, here);
      auto const all = ts::fori_loop(
          1, n,
          [&](auto turn, auto carried) {
            auto const& [state, keys, values] = carried;
            auto const next_keys = ts::ppermute<sp>(keys, ts::rotate<1>);
            auto const next_values = ts::ppermute<sp>(values, ts::rotate<1>);
            auto const from = ts::remainder(here - turn, n);
            return std::tuple{fold{}(state, q, next_keys, next_values, here, from), next_keys, next_values};
          },
          std::tuple{own, k, v});
      auto const& state = std::get<0>(all);
      return std::get<0>(state) / std::get<1>(state);
    })(q, k, v);
  }
};

// The result, and the gradient by q, k and v of a number that each element of it takes part in: {{number, result}, slopes}.
template <class Attention>
struct result_and_slopes {
  constexpr auto operator()(auto q, auto k, auto v) const {
    auto const number = [](auto a, auto b, auto c) {
      auto const result = Attention{}(a, b, c);
      return std::tuple{ts::sum(ts::sin(result)), result};
    };
    return ts::value_and_grad<0, 1, 2>(number, ts::has_aux)(q, k, v);
  }
};

template <class S>
auto wave(ts::device_mesh<line> const& mesh, double speed) {
  std::vector<float> values(heads * length * width);
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<float>(std::sin(speed * static_cast<double>(n) + speed));
  return ts::device_put<S>(ts::host<heads, length, width>(values), mesh);
}
double difference(auto const& x, auto const& y) {
  auto const a = ts::process_allgather(x), b = ts::process_allgather(y);
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::fabs(static_cast<double>(a[n]) - b[n]));
  return largest;
}
bool close(char const* name, double apart) {
  std::printf("%s: %s\n", name, apart < 1e-5 ? "equal to dense attention" : "NOT EQUAL");
  return apart < 1e-5;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<line>(ts::devices());
  using split = ts::P<ts::none, sp>;
  auto const q = wave<split>(mesh, 0.7), k = wave<split>(mesh, 1.3), v = wave<split>(mesh, 0.9);
  using whole = ts::P<>;
  auto const whole_q = wave<whole>(mesh, 0.7), whole_k = wave<whole>(mesh, 1.3), whole_v = wave<whole>(mesh, 0.9);

  using block = std::remove_const_t<decltype(q)>;
  constexpr std::int64_t block_bytes = heads * length / 8 * width * sizeof(float);
  constexpr auto const& forward = ts::comm_of<ring_attention, block, block, block>;
  static_assert(forward.count() == forward.count(ts::collective::permute));
  static_assert(forward.count() == 2 * 7 && forward.bytes() == 2 * 7 * block_bytes);  // keys and values, to 7 others
  constexpr auto const& backward = ts::comm_of<result_and_slopes<ring_attention>, block, block, block>;
  static_assert(backward.count(ts::collective::permute) == 4 * 7);  // and their gradients, back
  static_assert(backward.bytes(ts::collective::permute) == 4 * 7 * block_bytes);
  static_assert(backward.count() == 4 * 7 + 1);  // and the number's sum
  std::cout << ts::explain(forward);

  auto const [ring, slopes] = ts::jit<result_and_slopes<ring_attention>>(q, k, v);
  auto const [dense, wanted] = ts::jit<result_and_slopes<dense_attention>>(whole_q, whole_k, whole_v);
  bool good = close("forward", difference(std::get<1>(ring), std::get<1>(dense)));
  good &= close("gradient by queries", difference(std::get<0>(slopes), std::get<0>(wanted)));
  good &= close("gradient by keys", difference(std::get<1>(slopes), std::get<1>(wanted)));
  good &= close("gradient by values", difference(std::get<2>(slopes), std::get<2>(wanted)));
  return good ? 0 : 1;
}
