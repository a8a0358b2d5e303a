// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints values while a program runs.

#include <tessera/engine/view/print_effect.hpp>
#include <tessera/view/debug_print.hpp>

#include <iostream>
#include <mutex>
#include <vector>

namespace tessera {

namespace detail {

// The streams of debug_print, which writes to the last one. Each is identified by the print_to that added it.
struct print_target {
  std::mutex guard;
  std::vector<std::pair<print_to const*, std::ostream*>> streams{{nullptr, &std::cout}};
};
inline print_target& where_to_print() {
  static print_target target;
  return target;
}

}  // namespace detail

TESSERA_ENGINE print_to::print_to(std::ostream& stream) {
  auto& target = detail::where_to_print();
  std::lock_guard const lock(target.guard);
  target.streams.push_back({this, &stream});
}
TESSERA_ENGINE print_to::~print_to() {
  auto& target = detail::where_to_print();
  std::lock_guard const lock(target.guard);
  std::erase_if(target.streams, [this](auto const& known) { return known.first == this; });
}

namespace detail {
inline void print_text(std::string const& text) {
  auto& target = where_to_print();
  std::lock_guard const lock(target.guard);
  *target.streams.back().second << text << std::flush;
}
}  // namespace detail

TESSERA_ENGINE void ops::debug_print::act(effect_call const& call) {
  if (call.ready) return detail::print_text(*call.ready);
  std::string const line = detail::text_of_effect(call) + '\n';
  if (call.text)
    *call.text += line;
  else
    detail::print_text(line);
}

}  // namespace tessera
