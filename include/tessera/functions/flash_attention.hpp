// SPDX-License-Identifier: Apache-2.0
#pragma once
// flash_attention(q, k, v), flash_attention(q, k, v, causal): dot_product_attention as kernels, which keep the scores of a
// block of queries and a block of keys only: memory grows with t and s, not with t x s. flash_attention<128, 64>(q, k, v):
// blocks of 128 queries and 64 keys; by default of about 256.
//   q: (batch, t, heads, size), k, v: (batch, s, groups, size) -> (batch, t, heads, size)
// heads is a multiple of groups: several heads of q share one of k and v. Scores are scaled by 1 / sqrt(size). Half types are
// computed in float32. Gradient: kernels that compute the scores again, once for 8 groups and more, else twice. Explicit
// axes may split batch and heads, and nothing is sent. Source: Dao et al., FlashAttention-2, arXiv 2307.08691; JAX's pallas.ops.gpu.attention.

#include <tessera/functions/arranging.hpp>
#include <tessera/functions/flash_blocks.hpp>
#include <tessera/op/product/attention.hpp>
#include <tessera/transform/custom_vjp.hpp>

namespace tessera {
namespace detail::bodies {

// Blocks of about 256 that divide `extent` well.
constexpr std::int64_t flash_block(std::int64_t asked, std::int64_t extent) {
  if (asked > 0) return asked;
  std::int64_t const blocks = (extent + 255) / 256, each = (extent + blocks - 1) / (blocks > 0 ? blocks : 1);
  return extent <= 16 ? extent : (each + 15) / 16 * 16;
}

template <std::int64_t BlockQ, std::int64_t BlockK, bool Causal>
struct flash_attention {
  template <class Q, class K, class V>
  constexpr auto operator()(Q const& q, K const& k, V const& v) const {
    constexpr auto rows = extents_of<Q>;
    constexpr auto columns = extents_of<K>;
    if constexpr (rows.size() != 4 || columns.size() != 4 || extents_of<V> != columns) {
      return refused_call<call_fault::attention_of_other_ranks>(q);
    } else if constexpr (rows[0] != columns[0] || rows[3] != columns[3] || rows[2] % columns[2] != 0) {
      return refused_call<call_fault::attention_of_other_extents>(q);
    } else {
      constexpr flash_shape shape{rows[0],
                                  rows[1],
                                  columns[1],
                                  rows[2],
                                  columns[2],
                                  rows[3],
                                  flash_block(BlockQ, rows[1]),
                                  flash_block(BlockK, columns[1]),
                                  Causal};
      using made = flash<shape, typename operand_traits<Q>::type::element>;
      return custom_vjp(typename made::plain{}, typename made::kept{}, typename made::backward{})(q, k, v);
    }
  }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t BlockQ = 0, std::int64_t BlockK = 0, class Q, class K, class V>
constexpr auto flash_attention(Q const& q, K const& k, V const& v, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::flash_attention<BlockQ, BlockK, false>>(at, q, k, v);
}
template <std::int64_t BlockQ = 0, std::int64_t BlockK = 0, class Q, class K, class V>
constexpr auto flash_attention(Q const& q, K const& k, V const& v, causal_t,
                               site at = std::source_location::current()) {
  return detail::composed<detail::bodies::flash_attention<BlockQ, BlockK, true>>(at, q, k, v);
}

}  // namespace functions
}  // namespace tessera
