// SPDX-License-Identifier: Apache-2.0
#pragma once
// Declarations of the sorting kernels. They are defined in op/index/sort_kernel.hpp, which only files that run programs
// read: see op/linalg/kernels.hpp.

#include <tessera/base/config.hpp>
#include <tessera/base/dense_view.hpp>

#include <cstdint>

namespace tessera::ops::sorting {

template <class T>
[[gnu::weak]] void sort_values(dense_view<T const> x, dense_view<T> y, bool descending);
template <class T>
[[gnu::weak]] void sort_positions(dense_view<T const> x, dense_view<std::int32_t> y, bool descending);
template <class T>
[[gnu::weak]] void largest(dense_view<T const> x, dense_view<T> y, dense_view<std::int32_t> at);
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void heap_sort(dense_view<T const> x, dense_view<T> y, bool descending);
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void heap_argsort(dense_view<T const> x, dense_view<std::int32_t> y, bool descending);
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void select_largest(dense_view<T const> x, dense_view<T> y, dense_view<std::int32_t> at);

}  // namespace tessera::ops::sorting
