// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of flash_attention: forward, and its gradient, for blocks of queries and of keys.

#include <tessera/base/square_root.hpp>
#include <tessera/control/cond.hpp>
#include <tessera/control/scan.hpp>
#include <tessera/control/while_loop.hpp>
#include <tessera/functions/arranging.hpp>
#include <tessera/kernel/kernel.hpp>
#include <tessera/op/elementwise/floor_divide.hpp>
#include <tessera/op/index/dynamic_slice_in_dim.hpp>
#include <tessera/op/product/attention.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/transform/custom_vjp.hpp>

namespace tessera {
namespace detail::bodies {

// The shapes of a call.
struct flash_shape {
  std::int64_t batch, queries, keys, heads, groups, size, block_q, block_k;
  bool causal;
  constexpr std::int64_t query_blocks() const { return (queries + block_q - 1) / block_q; }
  constexpr std::int64_t key_blocks() const { return (keys + block_k - 1) / block_k; }
  constexpr std::int64_t padded_queries() const { return query_blocks() * block_q; }
  constexpr std::int64_t padded_keys() const { return key_blocks() * block_k; }
  constexpr bool is_padded() const { return padded_keys() != keys; }
  constexpr std::int64_t shared() const { return heads / groups; }
  // Whether the gradient's kernel has enough instances if each computes a group of heads.
  constexpr bool by_groups() const { return batch * groups >= 8; }
  constexpr double scale() const { return 1 / square_root(static_cast<double>(size)); }
};

template <flash_shape S, class T>
struct flash {
  using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static constexpr double lowest = -1e30;
  static constexpr auto widened(auto const& x) { return astype<wide>(x); }

  // The blocks of operands. g++ 12 cannot compile lambdas here.
  struct queries_at {  // grid: batch, heads, blocks of queries
    constexpr auto operator()(auto b, auto h, auto i) const { return std::tuple{b, i, h, 0}; }
  };
  struct keys_of_head {
    constexpr auto operator()(auto b, auto h, auto) const { return std::tuple{b, 0, h / S.shared(), 0}; }
  };
  struct row_at {
    constexpr auto operator()(auto b, auto h, auto i) const { return std::tuple{b, h, i}; }
  };
  struct keys_at {  // grid: batch, groups, blocks of keys, and in order the heads of a group
    constexpr auto operator()(auto b, auto g, auto j, auto) const { return std::tuple{b, j, g, 0}; }
  };
  struct queries_of_head {
    constexpr auto operator()(auto b, auto g, auto, auto h) const { return std::tuple{b, 0, g * S.shared() + h, 0}; }
  };
  struct row_of_head {
    constexpr auto operator()(auto b, auto g, auto, auto h) const { return std::tuple{b, g * S.shared() + h, 0}; }
  };
  using query_block = block_spec<queries_at{}, squeezed, S.block_q, squeezed, S.size>;
  using all_keys = block_spec<keys_of_head{}, squeezed, S.padded_keys(), squeezed, S.size>;
  using query_row = block_spec<row_at{}, squeezed, squeezed, S.block_q>;
  using key_block = block_spec<keys_at{}, squeezed, S.block_k, squeezed, S.size>;
  using all_queries = block_spec<queries_of_head{}, squeezed, S.padded_queries(), squeezed, S.size>;
  using whole_row = block_spec<row_of_head{}, squeezed, squeezed, S.padded_queries()>;

  // Scores of query block i and key block j; if a query does not see all of these keys, those unseen are `lowest`.
  template <bool All, class Q, class K, class I, class J>
  static constexpr auto scores(Q const& q, K const& k, I const& i, J const& j) {
    auto const s = matmul(q, transpose(k)) * S.scale();
    if constexpr (All || (!S.causal && !S.is_padded())) {
      return s;
    } else {
      auto const row = iota<std::int32_t, 0, S.block_q, S.block_k>() + i * S.block_q;
      auto const column = iota<std::int32_t, 1, S.block_q, S.block_k>() + j * S.block_k;
      if constexpr (!S.causal)
        return where(column < S.keys, s, lowest);
      else if constexpr (!S.is_padded())
        return where(column <= row, s, lowest);
      else
        return where((column <= row) & (column < S.keys), s, lowest);
    }
  }
  static constexpr std::integral_constant<bool, true> all_seen{};
  static constexpr std::integral_constant<bool, false> some_seen{};
  // Of the blocks of keys, query block i sees those before the first number wholly, and those before the second partly.
  template <class I>
  static constexpr auto seen_wholly(I const& i) {
    if constexpr (S.causal)
      return minimum(floor_divide(i * S.block_q + 1, S.block_k), S.keys / S.block_k);
    else
      return S.keys / S.block_k;
  }
  template <class I>
  static constexpr auto seen_partly(I const& i) {
    if constexpr (S.causal)
      return minimum(floor_divide(i * S.block_q + (S.block_q + S.block_k - 1), S.block_k), S.key_blocks());
    else
      return S.key_blocks();
  }
  // turn(all_seen or some_seen, number, block of k, block of v, carry) for all blocks of keys that query block i sees.
  template <class I, class K, class V, class Turn, class C>
  static constexpr auto over_keys(I const& i, K const& k, V const& v, Turn const& turn, C const& begin) {
    if constexpr (!S.causal && !S.is_padded()) {
      auto const one = [&](auto const& carry, auto const& given) {
        auto const& [key, value] = given;
        return std::tuple{turn(all_seen, i, widened(key), widened(value), carry), std::tuple{}};
      };
      return half_of<0>(scan(one, begin, std::tuple{key_blocks(k), key_blocks(v)}));
    } else {
      auto const with = [&](auto all) {
        return [&, all](auto const& j, auto const& carry) {
          return turn(all, j, widened(rows_of<S.block_k>(k, j)), widened(rows_of<S.block_k>(v, j)), carry);
        };
      };
      auto const wholly = fori_loop(0, seen_wholly(i), with(all_seen), begin);
      return fori_loop(seen_wholly(i), seen_partly(i), with(some_seen), wholly);
    }
  }
  template <class X>
  static constexpr auto key_blocks(X const& x) {
    return reshape<S.key_blocks(), S.block_k, S.size>(x);
  }
  template <class X>
  static constexpr auto query_blocks(X const& x) {
    return reshape<S.query_blocks(), S.block_q, S.size>(x);
  }
  // The blocks of queries from the first number on see key block j partly, those from the second on wholly.
  template <class J>
  static constexpr auto partly_sees(J const& j) {
    if constexpr (S.causal)
      return minimum(floor_divide(j * S.block_k, S.block_q), S.query_blocks());
    else
      return std::int64_t{0};
  }
  template <class J>
  static constexpr auto wholly_sees(J const& j) {
    if constexpr (S.causal || S.is_padded()) {
      auto const from = S.causal ? (j + 1) * S.block_k + (S.block_q - 2) : j * 0;
      auto const first = minimum(floor_divide(from, S.block_q), S.query_blocks());
      return where((j + 1) * S.block_k > S.keys, S.query_blocks(), first);
    } else {
      return std::int64_t{0};
    }
  }
  template <class J, class Turn, class C>
  static constexpr auto over_queries(J const& j, Turn const& turn, C const& begin) {
    auto const partly = fori_loop(
        partly_sees(j), wholly_sees(j), [&](auto const& i, auto const& carry) { return turn(some_seen, i, carry); },
        begin);
    return fori_loop(
        wholly_sees(j), S.query_blocks(), [&](auto const& i, auto const& carry) { return turn(all_seen, i, carry); },
        partly);
  }
  template <std::int64_t Rows, class X, class I>
  static constexpr auto rows_of(X const& x, I const& i) {
    return dynamic_slice_in_dim<0, Rows>(x, i * Rows);
  }

  struct forward {
    template <KernelProgram Program, class Q, class K, class V, class Out, class Lse>
    constexpr void operator()(Program const& program, Q const& q, K const& k, V const& v, Out& out, Lse& lse) const {
      auto const i = program_id<2>(program);
      auto const query = widened(q);
      auto const turn = [&](auto all, auto const& j, auto const& key, auto const& value, auto const& carry) {
        auto const& [most, total, sum] = carry;
        auto const s = scores<all>(query, key, i, j);
        auto const more = maximum(most, max<1>(s, keepdims));
        auto const p = exp(s - more);
        auto const kept = exp(most - more);
        return std::tuple{more, total * kept + tessera::sum<1>(p, keepdims), sum * kept + matmul(p, value)};
      };
      auto const none_yet = tessera::sum<1>(query, keepdims) * 0;
      auto const [most, total, sum] = over_keys(i, k, v, turn, std::tuple{none_yet + lowest, none_yet, query * 0});
      out = astype<T>(sum / total);
      lse = squeeze<1>(most + log(total));
    }
  };

  // bar: cotangents of the result; delta: by row, the sum of cotangent times result.
  struct of_queries {
    template <KernelProgram Program, class Q, class K, class V, class Bar, class Row, class Out>
    constexpr void operator()(Program const& program, Q const& q, K const& k, V const& v, Bar const& bar,
                              Row const& lse, Row const& delta, Out& out) const {
      auto const i = program_id<2>(program);
      auto const query = widened(q);
      auto const cotangent = widened(bar);
      auto const turn = [&](auto all, auto const& j, auto const& key, auto const& value, auto const& sum) {
        auto const p = exp(scores<all>(query, key, i, j) - expand_dims<1>(lse));
        auto const ds = p * (matmul(cotangent, transpose(value)) - expand_dims<1>(delta));
        return sum + matmul(ds, key);
      };
      out = astype<T>(over_keys(i, k, v, turn, query * 0) * S.scale());
    }
  };
  struct of_keys {
    template <KernelProgram Program, class K, class V, class Q, class Bar, class Row, class Out, class Sum>
    constexpr void operator()(Program const& program, K const& k, V const& v, Q const& q, Bar const& bar,
                              Row const& lse, Row const& delta, Out& key_bar, Out& value_bar, Sum& key_sum,
                              Sum& value_sum) const {
      auto const j = program_id<2>(program);
      auto const key = widened(k);
      auto const value = widened(v);
      auto const turn = [&](auto all, auto const& i, auto const& sums) {
        auto const& [keys, values] = sums;
        auto const query = widened(rows_of<S.block_q>(q, i));
        auto const cotangent = widened(rows_of<S.block_q>(bar, i));
        auto const p = exp(scores<all>(query, key, i, j) - expand_dims<1>(rows_of<S.block_q>(lse, i)));
        auto const ds = p * (matmul(cotangent, transpose(value)) - expand_dims<1>(rows_of<S.block_q>(delta, i)));
        return std::tuple{keys + matmul(transpose(ds), query), values + matmul(transpose(p), cotangent)};
      };
      auto const [keys, values] = over_queries(j, turn, std::tuple{key_sum, value_sum});
      key_sum = keys;
      value_sum = values;
      key_bar = astype<T>(key_sum * S.scale());
      value_bar = astype<T>(value_sum);
    }
  };

  // All cotangents of one group of heads, its heads in order. The scores are computed once.
  struct keys_of_group {
    constexpr auto operator()(auto b, auto g, auto) const { return std::tuple{b, 0, g, 0}; }
  };
  struct queries_in_group {
    constexpr auto operator()(auto b, auto g, auto h) const { return std::tuple{b, 0, g * S.shared() + h, 0}; }
  };
  struct row_in_group {
    constexpr auto operator()(auto b, auto g, auto h) const { return std::tuple{b, g * S.shared() + h, 0}; }
  };
  using group_keys = block_spec<keys_of_group{}, squeezed, S.padded_keys(), squeezed, S.size>;
  using group_queries = block_spec<queries_in_group{}, squeezed, S.padded_queries(), squeezed, S.size>;
  using group_row = block_spec<row_in_group{}, squeezed, squeezed, S.padded_queries()>;
  struct of_group {
    template <class K, class V, class Q, class Bar, class Row, class QueryBar, class KeyBar, class Sum>
    constexpr void operator()(K const& k, V const& v, Q const& q, Bar const& bar, Row const& lse, Row const& delta,
                              QueryBar& query_bar, KeyBar& key_bar, KeyBar& value_bar, Sum& key_sum,
                              Sum& value_sum) const {
      auto const keys = key_blocks(k);
      auto const values = key_blocks(v);
      auto const of_block = [&](auto const& i, auto const& sums, auto const& given) {
        auto const query = widened(std::get<0>(given)), cotangent = widened(std::get<1>(given));
        auto const row = expand_dims<1>(std::get<2>(given));
        auto const less = expand_dims<1>(std::get<3>(given));
        auto const seen = [&](auto all, auto const& j, auto const& sum, auto const& key, auto const& value,
                              auto const& to_key, auto const& to_value) {
          auto const p = exp(scores<all>(query, widened(key), i, j) - row);
          auto const ds = p * (matmul(cotangent, transpose(widened(value))) - less);
          return std::tuple{sum + matmul(ds, widened(key)), to_key + matmul(transpose(ds), query),
                            to_value + matmul(transpose(p), cotangent)};
        };
        auto const turn = [&](auto const& carry, auto const& given) {
          // clang 19 cannot capture a structured binding in constant evaluation.
          auto const j = std::get<0>(carry);
          auto const sum = std::get<1>(carry);
          auto const to_key = std::get<2>(given);
          auto const to_value = std::get<3>(given);
          auto const key = std::get<0>(given);
          auto const value = std::get<1>(given);
          auto const with = [&](auto all) { return seen(all, j, sum, key, value, to_key, to_value); };
          auto const chosen = [&] {
            if constexpr (!S.causal && !S.is_padded()) {
              return with(all_seen);
            } else {
              auto const how = astype<std::int32_t>(j < seen_wholly(i)) + astype<std::int32_t>(j < seen_partly(i));
              return switch_(how, std::tuple{[&] {
                                               return std::tuple{sum, to_key, to_value};
                                             },
                                             [&] { return with(some_seen); }, [&] { return with(all_seen); }});
            }
          };
          auto const [more, first, second] = chosen();
          return std::tuple{std::tuple{j + 1, more}, std::tuple{first, second}};
        };
        auto const& [to_keys, to_values] = sums;
        auto const [last, made] =
            scan(turn, std::tuple{i * 0, query * 0}, std::tuple{keys, values, to_keys, to_values});
        return std::tuple{made, std::get<1>(last) * S.scale()};
      };
      auto const each = [&](auto const& carry, auto const& given) {
        auto const& [i, sums] = carry;
        auto const [more, query] = of_block(i, sums, given);
        return std::tuple{std::tuple{i + 1, more}, query};
      };
      auto const [last, queries] =
          scan(each, std::tuple{std::int32_t{0}, std::tuple{key_blocks(key_sum), key_blocks(value_sum)}},
               std::tuple{query_blocks(q), query_blocks(bar), reshape<S.query_blocks(), S.block_q>(lse),
                          reshape<S.query_blocks(), S.block_q>(delta)});
      auto const& [to_keys, to_values] = std::get<1>(last);
      key_sum = reshape<S.padded_keys(), S.size>(to_keys);
      value_sum = reshape<S.padded_keys(), S.size>(to_values);
      query_bar = astype<T>(reshape<S.padded_queries(), S.size>(queries));
      key_bar = astype<T>(key_sum * S.scale());
      value_bar = astype<T>(value_sum);
    }
  };

  // The result, and by head and query the logarithm of the sum of its weights.
  struct with_sums {
    template <class Q, class K, class V>
    constexpr auto operator()(Q const& q, K const& k, V const& v) const {
      return kernel<kernel_grid<S.batch, S.heads, S.query_blocks()>, in_block_specs<query_block, all_keys, all_keys>,
                    out_block_specs<out_block<query_block, T, S.batch, S.queries, S.heads, S.size>,
                                    out_block<query_row, wide, S.batch, S.heads, S.queries>>>(forward{})(q, k, v);
    }
  };
  struct plain {
    template <class Q, class K, class V>
    constexpr auto operator()(Q const& q, K const& k, V const& v) const {
      return half_of<0>(with_sums{}(q, k, v));
    }
  };
  struct kept {
    template <class Q, class K, class V>
    constexpr auto operator()(Q const& q, K const& k, V const& v) const {
      auto const [out, lse] = with_sums{}(q, k, v);
      return std::tuple{out, std::tuple{q, k, v, out, lse}};
    }
  };
  struct backward {
    template <class Kept, class Bar>
    constexpr auto operator()(Kept const& saved, Bar const& bar) const {
      auto const& [q, k, v, out, lse] = saved;
      auto const delta = transpose<0, 2, 1>(tessera::sum<3>(widened(out) * widened(bar)));
      if constexpr (S.by_groups()) {
        using to_queries = out_block<group_queries, T, S.batch, S.queries, S.heads, S.size>;
        using to_keys = out_block<group_keys, T, S.batch, S.keys, S.groups, S.size>;
        using sums = scratch<wide, S.padded_keys(), S.size>;
        return kernel<kernel_grid<S.batch, S.groups, sequential{S.shared()}>,
                      in_block_specs<group_keys, group_keys, group_queries, group_queries, group_row, group_row>,
                      out_block_specs<to_queries, to_keys, to_keys>, sums, sums>(of_group{})(k, v, q, bar, lse, delta);
      } else {
        using to_queries = out_block<query_block, T, S.batch, S.queries, S.heads, S.size>;
        using to_keys = out_block<key_block, T, S.batch, S.keys, S.groups, S.size>;
        using sums = scratch<wide, S.block_k, S.size>;
        auto const query_bar =
            kernel<kernel_grid<S.batch, S.heads, S.query_blocks()>,
                   in_block_specs<query_block, all_keys, all_keys, query_block, query_row, query_row>,
                   out_block_specs<to_queries>>(of_queries{})(q, k, v, bar, lse, delta);
        auto const [key_bar, value_bar] =
            kernel<kernel_grid<S.batch, S.groups, S.key_blocks(), sequential{S.shared()}>,
                   in_block_specs<key_block, key_block, all_queries, all_queries, whole_row, whole_row>,
                   out_block_specs<to_keys, to_keys>, sums, sums>(of_keys{})(k, v, q, bar, lse, delta);
        return std::tuple{query_bar, key_bar, value_bar};
      }
    }
  };
};

}  // namespace detail::bodies
}  // namespace tessera
