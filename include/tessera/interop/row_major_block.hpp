// SPDX-License-Identifier: Apache-2.0
#pragma once
// A block as a row-major View: where it lies, or a copy that is written back.

#include <tessera/exec/memory/blocks.hpp>
#include <tessera/interop/view_types.hpp>
#include <tessera/op/base/opaque.hpp>

namespace tessera {
namespace detail {

// A block as a row-major View: where it lies, or a copy, which is written back by `finish` where it is a result.
template <class T, int Rank>
class row_major_block {
public:
  using view_type = block_view<view_element<std::remove_const_t<T>>, Rank>;
  using const_view_type = block_view<view_element<std::remove_const_t<T>> const, Rank>;

  explicit row_major_block(dense_view<T> const& x) : x_(x) {
    facts_.element = dtype_of<std::remove_const_t<T>>();
    for (int d = 0; d < Rank; ++d) facts_.add_dim(x.extent(d));
    if (x.contiguous() && is_place_of<typename view_type::value_type>(x.elements)) return;
    copy_ = buffer(facts_.size() * bytes_of(facts_.element));
    if constexpr (std::is_const_v<T>) copy(copy_.data(), own_strides(facts_, {}), x.elements, steps());
  }
  auto view() const {
    using shown = std::conditional_t<std::is_const_v<T>, const_view_type, view_type>;
    void const* const at = copy_ ? static_cast<void const*>(copy_.data()) : x_.elements;
    return view_at<shown>(at, facts_.shape(), facts_.shape());
  }
  void finish() const {
    if constexpr (!std::is_const_v<T>)
      if (copy_) copy(x_.elements, steps(), copy_.data(), own_strides(facts_, {}));
  }

private:
  strides steps() const {
    strides at;
    for (int d = 0; d < Rank; ++d) at.dim_stride[d] = x_.step(d);
    return at;
  }
  void copy(void* out, strides const& out_at, void const* in, strides const& in_at) const {
    copy_blocks(facts_, {}, static_cast<std::byte*>(out), out_at, static_cast<std::byte const*>(in), in_at);
  }

  dense_view<T> x_;
  array_value facts_{};
  buffer copy_{};
};

}  // namespace detail
}  // namespace tessera
