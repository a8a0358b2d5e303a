// SPDX-License-Identifier: Apache-2.0
#pragma once
// dot_general: products summed over contracted dimensions; result dimensions are batch, lhs free, rhs free.
//   dot_general<contract<dims<1>, dims<0>>>(x, w)   dot_general<contract<dims<2>, dims<1>>, batch<dims<0>, dims<0>>>(a, b)
//   dot_general<...>(x, y, preferred<float>): summed in that type and returned in it
// Parameters as in rule/contraction.hpp, promoted dtype. A dimension contracted while split on both sides needs
// out_sharding: the partial products are all_reduced over its axes (reduce_scattered where the result is split over
// them; left pending for unreduced). Split on one side only: the other is sliced, then all_reduced. Bytes: those of
// that collective on the result's block. Source: JAX 0.10.2 lax.dot_general.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/rule/contraction.hpp>

namespace tessera {
namespace ops {

struct permute;

struct dot_general {
  static constexpr std::string_view name = "dot_general";
  static constexpr op_class kind = op_class::dot;
  static constexpr verdict rule(rule_input const& in) { return rule::contract(in); }

  // Floats of 8 bits are numbers of bfloat16.
  static constexpr dtype in_16_bits(dtype element) { return is_float8(element) ? dtype::bfloat16 : element; }
  // Of floats of 8 or 16 bits, as float32.
  template <class B>
  static constexpr term summed_in_float32(B& b, term x, term y, attributes const& attrs) {
    attributes wide = attrs;
    dot_params dims = attrs.as<dot_params>();
    dims.wide = true;
    wide.set(dims);
    term operands[]{x, y};
    for (term& t : operands) t = detail::as_dtype(b, t, {in_16_bits(t.facts().element), false});
    return make<dot_general>(b, operands, 2, wide);
  }

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x[]{operands[0], operands[1]};
    if (!detail::promote_dtypes(b, x, 2)) return {&b, -1};
    if (dtype const own = x[0].facts().element; is_float8(own)) {
      term const made = summed_in_float32(b, x[0], x[1], attrs);
      return made ? make<cast>(b, {made}, cast_params{own}) : made;
    }
    array_value const lhs = x[0].facts(), rhs = x[1].facts();
    array_value const* const facts[]{&lhs, &rhs};
    if (verdict const judged = rule({b.mesh(), facts, 2, attrs}); !judged)
      return b.template refuse<dot_general>(judged, lhs, rhs);
    // If out_sharding lets layouts of shared dimensions differ, or the result drops the rhs', the rhs is resharded.
    array_value meet = rhs;
    dot_params const& dims = attrs.as<dot_params>();
    for (int k = 0; k < dims.rhs_batch.size(); ++k) {
      int const r = static_cast<int>(dims.rhs_batch[k]);
      if (!meet.entry(r).empty()) meet.entry(r) = lhs.entry(static_cast<int>(dims.lhs_batch[k]));
    }
    axis_set given, axes;  // the contracted dimensions that have the lhs' layout, and its axes
    for (int k = 0; k < dims.lhs_contracting.size(); ++k) {
      entry_value const l = lhs.entry(static_cast<int>(dims.lhs_contracting[k]));
      int const r = static_cast<int>(dims.rhs_contracting[k]);
      if (l.empty() || meet.entry(r).empty()) continue;
      meet.entry(r) = l;
      given |= axis_set::of(r);
      axes |= l.axes();
    }
    if (!rule::each_axis_once(meet))
      for (auto d : dims.rhs_batch) meet.entry(static_cast<int>(d)) = {};
    for (int d = 0; d < meet.rank; ++d)
      if (!given.contains(d) && !(meet.entry(d).axes() & axes).empty()) meet.entry(d) = {};
    x[1] = tessera::detail::laid_out_as(b, x[1], meet);
    return x[1] ? b.template emit<dot_general>({x[0], x[1]}, attrs) : x[1];
  }

  // The cotangent g has dimensions batch, lhs free, rhs free. For the lhs: g contracted with the rhs over the rhs' free
  // dimensions; for the rhs: the lhs contracted with g over the lhs' free dimensions. Operands are ordered so that a
  // matrix product needs no transpose.
  template <class B>
  static constexpr void transpose(B& back, int) {
    if (back.wants(0)) back.give(0, toward(back, 0));
    if (back.wants(1)) back.give(1, toward(back, 1));
  }

private:
  template <class B>
  static constexpr term toward(B& back, int which) {
    dot_params const a = back.attrs().template as<dot_params>();
    int const batches = a.lhs_batch.size();
    extents_list const& own_batch = which == 0 ? a.lhs_batch : a.rhs_batch;
    extents_list const& other_batch = which == 0 ? a.rhs_batch : a.lhs_batch;
    array_value const own = back.operand(which).facts(), other = back.operand(1 - which).facts();
    extents_list const& own_contracted = which == 0 ? a.lhs_contracting : a.rhs_contracting;
    extents_list const& other_contracted = which == 0 ? a.rhs_contracting : a.lhs_contracting;
    extents_list const own_free = rule::free_dims(own, own_contracted, own_batch);
    extents_list const other_free = rule::free_dims(other, other_contracted, other_batch);
    int const free_in_g =
        batches + (which == 0 ? own_free.size() : 0);  // positions of the other's free dimensions in g
    extents_list g_contracted, g_batch;
    for (int k = 0; k < other_free.size(); ++k) g_contracted.push_back(free_in_g + k);
    for (int k = 0; k < batches; ++k) g_batch.push_back(k);
    attributes to = which == 1 ? dot_params{other_free, g_contracted, other_batch, g_batch}
                               : dot_params{g_contracted, other_free, g_batch, other_batch};
    // Dimensions of the product, as dimensions of the operand.
    extents_list produced = own_batch;
    extents_list contracted_in_order;  // the other's contracted dimensions come in its own order
    for (int d = 0; d < other.rank; ++d)
      if (int const k = other_contracted.find(d); k >= 0) contracted_in_order.push_back(own_contracted[k]);
    if (which == 0) {
      for (auto d : own_free) produced.push_back(d);
      for (auto d : contracted_in_order) produced.push_back(d);
    } else {
      for (auto d : contracted_in_order) produced.push_back(d);
      for (auto d : own_free) produced.push_back(d);
    }
    to.has_out = true;
    to.out.rank = own.rank;
    for (int i = 0; i < own.rank; ++i) to.out.entries[i] = own.entry(static_cast<int>(produced[i]));
    axis_set summed;  // over which the product is a partial sum: it may stay one for a `reduced` operand
    for (int k = 0; k < g_contracted.size(); ++k) {
      entry_value const in_g = back.cotangent().facts().entry(static_cast<int>(g_contracted[k]));
      if (in_g == other.entry(static_cast<int>(other_free[k]))) summed |= in_g.axes();
    }
    if (summed == own.reduced) to.out.unreduced = summed;
    auto const product = which == 0 ? make<dot_general>(back, {back.cotangent(), back.operand(1)}, to)
                                    : make<dot_general>(back, {back.operand(0), back.cotangent()}, to);
    permute_params order;
    bool in_order = true;
    for (int d = 0; d < own.rank; ++d) {
      order.order.push_back(produced.find(d));
      in_order = in_order && produced[d] == d;
    }
    return in_order || !product ? product : make<permute>(back, {product}, order);
  }
};

}  // namespace ops

template <class Lhs, class Rhs>
struct contract {};
template <class Lhs, class Rhs>
struct batch {};

template <class Contract, class Batch>
struct dot_dims;
template <class L, class R, class BL, class BR>
struct dot_dims<contract<L, R>, batch<BL, BR>> {
  template <Mesh M>
  static constexpr dot_params on() {
    return {L::list, R::list, BL::list, BR::list};
  }
};

template <class Element>
struct preferred_t {};
template <class Element>
inline constexpr preferred_t<Element> preferred{};
namespace ops {
// Summed in another type. A product of narrow operands in a wider type is exact. float32 sums of floats of 8 and
// 16 bits are a product of its own, whose operands stay narrow.
template <class Element>
struct preferred_dot {
  static constexpr std::string_view name = "dot_general";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    cast_params const to{dtype_of<Element>()};
    term x[]{operands[0], operands[1]};
    dtype const narrow = dot_general::in_16_bits(x[0].facts().element);
    if (to.element == dtype::float32 && is_half(narrow) && narrow == dot_general::in_16_bits(x[1].facts().element))
      return dot_general::summed_in_float32(b, x[0], x[1], attrs);
    bool const wider = bytes_of(to.element) >= bytes_of(x[0].facts().element) &&
                       bytes_of(to.element) >= bytes_of(x[1].facts().element);
    for (term& t : x)
      if (wider) t = make<cast>(b, {t}, to);
    if (!x[0] || !x[1]) return {&b, -1};
    auto const product = make<dot_general>(b, {x[0], x[1]}, attrs);
    return wider || !product ? product : make<cast>(b, {product}, to);
  }
};

// Op, a product that By composes of dot_general, summed in another type and returned in it.
template <class Op, template <class> class By, class Element>
struct preferring {
  static constexpr std::string_view name = Op::name;
  static constexpr op_class kind = Op::kind;
  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    term const made = By<preferred_dot<Element>>::build(b, operands, count, attrs);
    cast_params const to{dtype_of<Element>()};
    return made && made.facts().element != to.element ? make<cast>(b, {made}, to) : made;
  }
};
}  // namespace ops

namespace functions {

template <class Contract, class Batch = batch<dims<>, dims<>>, class X, class Y, class Element>
constexpr auto dot_general(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferred_dot<Element>, dot_dims<Contract, Batch>>(at, x, y);
}
template <class Contract, class Batch = batch<dims<>, dims<>>, class X, class Y, class Element, Spec S, Mesh M>
constexpr auto dot_general(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                           site at = std::source_location::current()) {
  return invoke<ops::preferred_dot<Element>, with_out<dot_dims<Contract, Batch>, S, M>>(at, x, y);
}
template <class Contract, class Batch = batch<dims<>, dims<>>, class X, class Y>
constexpr auto dot_general(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::dot_general, dot_dims<Contract, Batch>>(at, x, y);
}
template <class Contract, class Batch = batch<dims<>, dims<>>, class X, class Y, Spec S, Mesh M>
constexpr auto dot_general(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::dot_general, with_out<dot_dims<Contract, Batch>, S, M>>(at, x, y);
}

}  // namespace functions

}  // namespace tessera
