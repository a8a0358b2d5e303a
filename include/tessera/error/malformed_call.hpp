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
  pivots_of_fewer_rows,        // lu_pivots_to_permutation of more pivots than rows
  tensor_without_inverse,      // tensorinv of an array that is no square matrix
  tensor_of_other_extents,     // tensorsolve of an a that does not begin as b
  more_reflectors,             // more reflectors than columns or rows
  reflectors_of_fewer_rows,    // householder_product of a wide matrix
  no_polynomial,               // a polynomial that is no vector, or has no coefficient
  derivative_of_fewer,         // polyder of too high an order
  roots_in_no_vector,          // poly of no vector
  companion_of_a_constant,     // companion of fewer than two coefficients
  blocks_of_batches,           // block_diag of arrays of more than two dimensions
  expm_of_halves,              // expm of 16-bit floats
  spatial_dimensions,          // a convolution without one to three spatial dimensions
  pads_miscounted,             // pads without two numbers for each spatial dimension
  labels_of_other_extents,     // softmax_cross_entropy_with_integer_labels of labels that do not fit the logits
  ragged_extents,              // ragged_dot of extents that do not fit
  scales_of_other_extents,     // scaled_matmul of scales that do not fit
  extents_miscounted,          // resize without an extent for each dimension
  scales_miscounted,           // scale_and_translate without a scale for each dimension
  other_dimension_resized,     // scale_and_translate to another extent elsewhere
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
    static_assert(is_not(call_fault::pivots_of_fewer_rows),
                  "tessera: lu_pivots_to_permutation<N> of more than N pivots. Fix: the number of rows of the "
                  "matrix.");
    static_assert(is_not(call_fault::tensor_without_inverse),
                  "tessera: tensorinv<Ind>(a) of an a whose first Ind dimensions have not as many elements as "
                  "the others. Fix: another Ind; reshape.");
    static_assert(is_not(call_fault::tensor_of_other_extents),
                  "tessera: in tensorsolve(a, b) a does not have the dimensions of b and then others of as many "
                  "elements. Fix: moveaxis of a.");
    static_assert(is_not(call_fault::more_reflectors),
                  "tessera: there are more reflectors (taus) than columns or rows of a. Fix: slice_in_dim<-1, "
                  "0, k>(taus).");
    static_assert(is_not(call_fault::reflectors_of_fewer_rows),
                  "tessera: householder_product of a matrix with fewer rows than columns. Fix: its first "
                  "columns.");
    static_assert(is_not(call_fault::no_polynomial),
                  "tessera: a polynomial is a vector of one or more coefficients, the highest power first. Fix: "
                  "ravel(p).");
    static_assert(is_not(call_fault::derivative_of_fewer),
                  "tessera: polyder<M>(p) of a polynomial of M or fewer coefficients. Fix: the derivative is 0: "
                  "zeros<float, 1>().");
    static_assert(is_not(call_fault::roots_in_no_vector),
                  "tessera: poly takes the roots as a vector. Fix: poly(eigvalsh(a)) of a symmetric matrix a.");
    static_assert(is_not(call_fault::companion_of_a_constant),
                  "tessera: a companion matrix of fewer than two coefficients. Fix: a polynomial of degree 1 or "
                  "more.");
    static_assert(is_not(call_fault::blocks_of_batches),
                  "tessera: block_diag takes matrices. Fix: vmap of it for batches of them.");
    static_assert(is_not(call_fault::expm_of_halves),
                  "tessera: expm is of float32, float64 and their complex numbers. Fix: expm(astype<float>(a)).");
    static_assert(is_not(call_fault::spatial_dimensions),
                  "tessera: x, or the kernel, does not have two dimensions for batch and features and one to "
                  "three spatial ones. Fix: expand_dims<0>(x).");
    static_assert(is_not(call_fault::pads_miscounted),
                  "tessera: pads<...> has not two numbers for each spatial dimension. Fix: pads<before, behind, "
                  "...>.");
    static_assert(is_not(call_fault::labels_of_other_extents),
                  "tessera: softmax_cross_entropy_with_integer_labels takes logits (..., classes) and integer labels "
                  "(...). Fix: argmax<-1>(labels), or softmax_cross_entropy(logits, labels) of probabilities.");
    static_assert(is_not(call_fault::ragged_extents),
                  "tessera: ragged_dot(x, w, sizes) takes x (m, k), w (g, k, n) and integers sizes (g). Fix: "
                  "reshape or transpose the operands.");
    static_assert(is_not(call_fault::scales_of_other_extents),
                  "tessera: scaled_matmul takes arrays of three dimensions, and scales whose last extent "
                  "divides theirs. Fix: expand_dims<0>(x).");
    static_assert(is_not(call_fault::extents_miscounted),
                  "tessera: an image is resized to extents that are not one for each dimension of x. Fix: batch "
                  "and channels, too: image::resize<8, 64, 64, 3>(x, image::linear).");
    static_assert(is_not(call_fault::scales_miscounted),
                  "tessera: scale and translation have not one element for each dimension of image::spatial. "
                  "Fix: vectors of as many elements.");
    static_assert(is_not(call_fault::other_dimension_resized),
                  "tessera: a dimension that is not in image::spatial<...> gets another extent. Fix: name it "
                  "there, with a scale.");
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
