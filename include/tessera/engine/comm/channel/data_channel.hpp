// SPDX-License-Identifier: Apache-2.0
#pragma once
// The channel that carries arrays over another one; kept by the latter's address.

#include <tessera/comm/channel/data_channel.hpp>

#include <map>
#include <mutex>

namespace tessera::detail {

struct data_channels {
  std::mutex guard;
  data_channel_maker make = nullptr;
  std::map<channel const*, std::shared_ptr<channel>> made;

  // Never destroyed: programs of static lifetime may use it.
  static data_channels& of_run() {
    static data_channels* const own = new data_channels;
    return *own;
  }
};

TESSERA_ENGINE void carry_arrays_by(data_channel_maker make) {
  drop_data_channels();
  std::lock_guard const lock(data_channels::of_run().guard);
  data_channels::of_run().make = make;
}

TESSERA_ENGINE std::shared_ptr<channel> data_channel(std::shared_ptr<channel> const& over) {
  auto& all = data_channels::of_run();
  data_channel_maker make = nullptr;
  {
    std::lock_guard const lock(all.guard);
    if (auto const found = all.made.find(over.get()); found != all.made.end()) return found->second;
    make = all.make;
  }
  if (make == nullptr || over->size() == 1) return over;
  auto made = make(over);  // without the lock: it sends messages, and other ranks may be threads
  std::lock_guard const lock(all.guard);
  return all.made[over.get()] = std::move(made);
}

TESSERA_ENGINE void drop_data_channels() {
  std::map<channel const*, std::shared_ptr<channel>> gone;  // destroyed after the lock is released
  std::lock_guard const lock(data_channels::of_run().guard);
  std::swap(gone, data_channels::of_run().made);
}

}  // namespace tessera::detail
