// SPDX-License-Identifier: Apache-2.0
#pragma once
// A function that is composed of operations (<tessera/functions.hpp>) does not take its arguments, for a reason of its own, not
// that of an operation within: one sentence for each. JAX: ValueError or TypeError of the function.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera {

enum class call_fault {
  no_choices,                  // choose among no values
  pieces_miscounted,           // piecewise without a function for each condition
  places_of_other_rank,        // put_along_axis of places of another rank
  no_vectors,                  // arrays that are no vectors
  one_element,                 // differences along fewer than two elements
  index_to_delete,             // an index that the array does not have
  nothing_to_repeat,           // resize of no elements
  bits_of_no_bytes,            // packbits of an extent that 8 does not divide
  attention_of_other_ranks,    // flash_attention of arrays that have not four dimensions
  attention_of_other_extents,  // flash_attention of extents that do not fit each other
};

namespace error {

template <call_fault Fault>
struct in_call {};

// Within a derivative's rule, which does not show the fault.
template <class Op, class... Facts>
struct malformed_call {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  "tessera: a function does not take its arguments, in a rule of a derivative. Fix: call the "
                  "rule's function by itself, which names the fault.");
  }
};
template <call_fault Fault, class... Facts>
struct malformed_call<in_call<Fault>, Facts...> {
  static consteval void explain() {
    constexpr auto is_not = [](call_fault one) { return one != Fault; };
    static_assert(is_not(call_fault::no_choices), "tessera: choose among no values. Fix: choose(i, std::tuple{a, b}).");
    static_assert(is_not(call_fault::pieces_miscounted),
                  "tessera: piecewise has not one function for each condition. Fix: as many functions as "
                  "conditions, and one more for where none holds.");
    static_assert(is_not(call_fault::places_of_other_rank),
                  "tessera: the places of put_along_axis have not as many dimensions as x. Fix: places as "
                  "take_along_axis reads them.");
    static_assert(is_not(call_fault::no_vectors),
                  "tessera: the function takes vectors, arrays of one dimension. Fix: ravel(x); conv for "
                  "batches and features; vmap for a batch of vectors.");
    static_assert(is_not(call_fault::one_element),
                  "tessera: central_differences along a dimension of fewer than two elements. Fix: another "
                  "dimension: central_differences<0>(x).");
    static_assert(is_not(call_fault::index_to_delete),
                  "tessera: delete_at<dimension, index, count> of elements that x does not have. Fix: an index "
                  "from 0 to the extent less count.");
    static_assert(is_not(call_fault::nothing_to_repeat),
                  "tessera: resize of an array without elements. Fix: zeros<float, 4>().");
    static_assert(is_not(call_fault::bits_of_no_bytes),
                  "tessera: packbits of an extent that 8 does not divide. Fix: pad_to_multiple<-1, 8>(x).");
    static_assert(is_not(call_fault::attention_of_other_ranks),
                  "tessera: flash_attention takes q of (batch, t, heads, size), and k and v of (batch, s, "
                  "groups, size). Fix: expand_dims<0>(x) where there is no batch.");
    static_assert(is_not(call_fault::attention_of_other_extents),
                  "tessera: in flash_attention q and k differ in batch or size, or the heads of q are no "
                  "multiple of the groups of k. Fix: equal extents.");
  }
};

template <>
struct words<reason::malformed_call> {
  template <class... Facts>
  using type = malformed_call<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function does not take these arguments.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "the error of the compiler says what it takes";
  }
};

}  // namespace error
}  // namespace tessera
