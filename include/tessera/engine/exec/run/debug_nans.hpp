// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers of those who watch for NaNs and infinities.

#include <tessera/base/config.hpp>
#include <tessera/base/settings.hpp>
#include <tessera/exec/run/debug_nans.hpp>

namespace tessera {

TESSERA_ENGINE std::atomic<int>& detail::watchers_of(watched_value which) {
  static std::atomic<int> nans{debug_nans_setting(if_wrong::ignores) ? 1 : 0},
      infs{debug_infs_setting(if_wrong::ignores) ? 1 : 0};
  return which == watched_value::nan ? nans : infs;
}

}  // namespace tessera
