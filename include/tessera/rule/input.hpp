// SPDX-License-Identifier: Apache-2.0
#pragma once
// The input of a rule: the mesh, the operands' facts, the operation's parameters.

#include <tessera/rule/own_params.hpp>

#include <type_traits>

namespace tessera {

namespace detail {
template <class P>
concept ClassParams = requires {
  requires P::tag != params_kind::none;
};
template <class P>
inline constexpr P params_not_given{};

struct nothing_kept {};
// The record in `attributes`. In constant evaluation only the active member can be read.
union kept_params {
  nothing_kept none;
  argument_params argument;
  refused_params refused;
  literal_params literal;
  iota_params iota;
  cast_params cast;
  reduce_params reduce;
  dot_params dot;
  broadcast_params broadcast;
  permute_params permute;
  reshape_params reshape;
  slice_params slice;
  slice_in_dim_params slice_in_dim;
  concatenate_params concatenate;
  pad_params pad;
  update_slice_params update_slice;
  indexing_params indexing;
  shard_map_params shard_map;
  mesh_cast_params mesh_cast;
  collective_params collective;
  exchange_params exchange;
  result_params result;
  loop_shape loop;
  effect_params effect;
  packed_params own;

  constexpr kept_params() : none{} {}
  constexpr kept_params(argument_params const& p) : argument(p) {}
  constexpr kept_params(refused_params const& p) : refused(p) {}
  constexpr kept_params(literal_params const& p) : literal(p) {}
  constexpr kept_params(iota_params const& p) : iota(p) {}
  constexpr kept_params(cast_params const& p) : cast(p) {}
  constexpr kept_params(reduce_params const& p) : reduce(p) {}
  constexpr kept_params(dot_params const& p) : dot(p) {}
  constexpr kept_params(broadcast_params const& p) : broadcast(p) {}
  constexpr kept_params(permute_params const& p) : permute(p) {}
  constexpr kept_params(reshape_params const& p) : reshape(p) {}
  constexpr kept_params(slice_params const& p) : slice(p) {}
  constexpr kept_params(slice_in_dim_params const& p) : slice_in_dim(p) {}
  constexpr kept_params(concatenate_params const& p) : concatenate(p) {}
  constexpr kept_params(pad_params const& p) : pad(p) {}
  constexpr kept_params(update_slice_params const& p) : update_slice(p) {}
  constexpr kept_params(indexing_params const& p) : indexing(p) {}
  constexpr kept_params(shard_map_params const& p) : shard_map(p) {}
  constexpr kept_params(mesh_cast_params const& p) : mesh_cast(p) {}
  constexpr kept_params(collective_params const& p) : collective(p) {}
  constexpr kept_params(exchange_params const& p) : exchange(p) {}
  constexpr kept_params(result_params const& p) : result(p) {}
  constexpr kept_params(loop_shape const& p) : loop(p) {}
  constexpr kept_params(effect_params const& p) : effect(p) {}
  constexpr kept_params(packed_params const& p) : own(p) {}
};
template <auto Record>
constexpr bool same_params(kept_params const& l, kept_params const& r) {
  return l.*Record == r.*Record;
}
// By params_kind.
inline constexpr bool (*params_equal[])(kept_params const&, kept_params const&){
    nullptr,
    &same_params<&kept_params::argument>,
    &same_params<&kept_params::refused>,
    &same_params<&kept_params::literal>,
    &same_params<&kept_params::iota>,
    &same_params<&kept_params::cast>,
    &same_params<&kept_params::reduce>,
    &same_params<&kept_params::dot>,
    &same_params<&kept_params::broadcast>,
    &same_params<&kept_params::permute>,
    &same_params<&kept_params::reshape>,
    &same_params<&kept_params::slice>,
    &same_params<&kept_params::slice_in_dim>,
    &same_params<&kept_params::concatenate>,
    &same_params<&kept_params::pad>,
    &same_params<&kept_params::update_slice>,
    &same_params<&kept_params::indexing>,
    &same_params<&kept_params::shard_map>,
    &same_params<&kept_params::mesh_cast>,
    &same_params<&kept_params::collective>,
    &same_params<&kept_params::exchange>,
    &same_params<&kept_params::result>,
    &same_params<&kept_params::loop>,
    &same_params<&kept_params::effect>,
    &same_params<&kept_params::own>,
};
}  // namespace detail

// The parameters of an operation: a record of its class (rule/params.hpp), a record of its own (rule/own_params.hpp),
// or none; and the layout that the user requested.
class attributes {
public:
  spec_value out{};  // out_sharding, if has_out
  bool has_out = false;

  constexpr attributes() = default;
  template <detail::ClassParams P>
  constexpr attributes(P const& params) : kind_(P::tag), kept_(params) {}
  template <OwnParams P>
  TESSERA_FUNCTION constexpr attributes(P const& params)
      : kind_(params_kind::own), kept_(detail::packed_params::of(params)) {}
  template <class P>
    requires detail::ClassParams<P> || OwnParams<P>
  constexpr attributes(P const& params, spec_value const& asked) : attributes(params) {
    has_out = true;
    out = asked;
  }

  // Replaces the parameters; the layout stays.
  template <detail::ClassParams P>
  constexpr void set(P const& params) {
    kind_ = P::tag;
    kept_ = detail::kept_params(params);
  }
  template <OwnParams P>
  constexpr void set(P const& params) {
    kind_ = params_kind::own;
    kept_ = detail::kept_params(detail::packed_params::of(params));
  }

  constexpr params_kind kind() const { return kind_; }
  // The same for operands with one more dimension in front; applies to an op's own record.
  constexpr attributes counted_on() const {
    attributes moved = *this;
    if (kind_ == params_kind::own) moved.kept_ = detail::kept_params(kept_.own.counted_on());
    return moved;
  }
  // The record; its default if none was given. Reading another record type is an error: it does not compile, or throws
  // std::logic_error at run time.
  template <detail::ClassParams P>
  constexpr P const& as() const {
    if (kind_ != P::tag) {
      if (kind_ != params_kind::none) detail::other_parameters();
      return detail::params_not_given<P>;
    }
    constexpr auto is = P::tag;
    if constexpr (is == params_kind::argument)
      return kept_.argument;
    else if constexpr (is == params_kind::refused)
      return kept_.refused;
    else if constexpr (is == params_kind::literal)
      return kept_.literal;
    else if constexpr (is == params_kind::iota)
      return kept_.iota;
    else if constexpr (is == params_kind::cast)
      return kept_.cast;
    else if constexpr (is == params_kind::reduce)
      return kept_.reduce;
    else if constexpr (is == params_kind::dot)
      return kept_.dot;
    else if constexpr (is == params_kind::broadcast)
      return kept_.broadcast;
    else if constexpr (is == params_kind::permute)
      return kept_.permute;
    else if constexpr (is == params_kind::reshape)
      return kept_.reshape;
    else if constexpr (is == params_kind::slice)
      return kept_.slice;
    else if constexpr (is == params_kind::slice_in_dim)
      return kept_.slice_in_dim;
    else if constexpr (is == params_kind::concatenate)
      return kept_.concatenate;
    else if constexpr (is == params_kind::pad)
      return kept_.pad;
    else if constexpr (is == params_kind::update_slice)
      return kept_.update_slice;
    else if constexpr (is == params_kind::indexing)
      return kept_.indexing;
    else if constexpr (is == params_kind::shard_map)
      return kept_.shard_map;
    else if constexpr (is == params_kind::mesh_cast)
      return kept_.mesh_cast;
    else if constexpr (is == params_kind::collective)
      return kept_.collective;
    else if constexpr (is == params_kind::exchange)
      return kept_.exchange;
    else if constexpr (is == params_kind::result)
      return kept_.result;
    else if constexpr (is == params_kind::loop)
      return kept_.loop;
    else
      return kept_.effect;
  }
  template <OwnParams P>
  TESSERA_FUNCTION constexpr P as() const {
    if (kind_ == params_kind::none) return {};
    if (kind_ != params_kind::own) detail::other_parameters();
    return kept_.own.template as<P>();
  }

  // The packed form of an op's own record, if it has one.
  constexpr detail::packed_params const& packed() const {
    if (kind_ != params_kind::own) detail::other_parameters();
    return kept_.own;
  }

  constexpr bool operator==(attributes const& other) const {
    if (kind_ != other.kind_ || has_out != other.has_out) return false;
    if (has_out && !(out == other.out)) return false;
    return kind_ == params_kind::none || detail::params_equal[static_cast<int>(kind_)](kept_, other.kept_);
  }

private:
  params_kind kind_ = params_kind::none;
  detail::kept_params kept_{};
};

inline constexpr attributes no_attributes{};

struct rule_input {
  mesh_value const& mesh;
  array_value const* const* operands;
  int count;
  attributes const& attrs;

  constexpr array_value const& operator[](int i) const { return *operands[i]; }
};

using rule_function = verdict (*)(rule_input const&);

}  // namespace tessera
