// SPDX-License-Identifier: Apache-2.0
#pragma once
// False for whatever types something is written with: what the sentences on things written otherwise assert.

namespace tessera::written {

template <class...>
inline constexpr bool written_so = false;

}  // namespace tessera::written
