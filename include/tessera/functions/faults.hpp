// SPDX-License-Identifier: Apache-2.0
#pragma once
// What functions of this folder do not take: a sentence each, of one error (error/malformed_call.hpp).
// return refused_call<faults::no_vectors>(x) in a body is the result of such a call.

namespace tessera::detail::faults {

struct no_choices {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful, "tessera: choose among no values. Fix: choose(i, std::tuple{a, b}).");
  }
};
struct pieces_miscounted {
  template <bool Lawful>
  static consteval void say() {
    static_assert(
        Lawful,
        "tessera: piecewise has not one function for each condition. Fix: as many functions as conditions, and "
        "one more for where none holds.");
  }
};
struct places_of_other_rank {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful,
                  "tessera: the places of put_along_axis have not as many dimensions as x. Fix: places as "
                  "take_along_axis reads them.");
  }
};
struct no_vectors {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful,
                  "tessera: the function takes vectors, arrays of one dimension. Fix: ravel(x); conv for batches and "
                  "features; vmap for a batch of vectors.");
  }
};
struct one_element {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful,
                  "tessera: central_differences along a dimension of fewer than two elements. Fix: another dimension: "
                  "central_differences<0>(x).");
  }
};
struct index_to_delete {
  template <bool Lawful>
  static consteval void say() {
    static_assert(
        Lawful,
        "tessera: delete_at<dimension, index, count> of elements that x does not have. Fix: an index from 0 to "
        "the extent less count.");
  }
};
struct nothing_to_repeat {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful, "tessera: resize of an array without elements. Fix: zeros<float, 4>().");
  }
};
struct bits_of_no_bytes {
  template <bool Lawful>
  static consteval void say() {
    static_assert(Lawful, "tessera: packbits of an extent that 8 does not divide. Fix: pad_to_multiple<-1, 8>(x).");
  }
};
struct attention_of_other_ranks {
  template <bool Lawful>
  static consteval void say() {
    static_assert(
        Lawful,
        "tessera: flash_attention takes q of (batch, t, heads, size), and k and v of (batch, s, groups, size). "
        "Fix: expand_dims<0>(x) where there is no batch.");
  }
};
struct attention_of_other_extents {
  template <bool Lawful>
  static consteval void say() {
    static_assert(
        Lawful,
        "tessera: in flash_attention q and k differ in batch or size, or the heads of q are no multiple of the "
        "groups of k. Fix: equal extents.");
  }
};

}  // namespace tessera::detail::faults
