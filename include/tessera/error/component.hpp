// SPDX-License-Identifier: Apache-2.0
#pragma once
// One value of a tree that has another type than the one it stands for: its path, both types, and what to write.
//   component<"carry.1", began<float, 2>::P<>, returned<float, 2>::P<varying<dp>>, pvary_init<dp>>

#include <tessera/base/text.hpp>
#include <tessera/error/facts.hpp>

namespace tessera::error {

template <fixed_string Path, class... Facts>
struct component {};

template <class Element, std::int64_t... Extents>
struct began {
  template <class... Layout>
  struct P : detail::array_fact<Element, shape<Extents...>, Layout...> {};
};
template <class Element, std::int64_t... Extents>
struct returned {
  template <class... Layout>
  struct P : detail::array_fact<Element, shape<Extents...>, Layout...> {};
};
template <class... A>
struct pvary_init {};  // the fix: pvary<A...>(init), of this part of it
template <class... A>
struct pvary_result {};  // or this, to what is returned for it
template <class Spec>
struct reshard_init {};  // reshard<Spec, mesh>(init)
template <class Spec>
struct reshard_result {};
template <class Element>
struct astype_result {};
template <int Count>
struct and_more {};  // values, which the error leaves out

}  // namespace tessera::error
