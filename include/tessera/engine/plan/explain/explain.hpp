// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text that explains a program's messages.

#include <tessera/engine/plan/explain/message_table.hpp>

namespace tessera::detail {

template <class Text>
Text explain_messages(message const* messages, std::size_t count, mesh_value const& mesh, std::int64_t bytes,
                      std::int64_t peak) {
  growable<Text> once;
  growable<known_bytes<Text>> in_all;
  for (std::size_t i = 0; i != count; ++i) {
    message const& m = messages[i];
    in_all.push_back({m.bytes, m.is_bound()});
    once.push_back(describe(in_all[i]));
    in_all[i].number = m.times == dynamic || m.bytes == dynamic ? dynamic : m.times * m.bytes;
  }
  return message_table(messages, once, in_all.data(), mesh) + "  " +
         (bytes == dynamic ? Text("an unknown number of") : std::to_string(bytes)) +
         " bytes sent per device and call (ring model), peak memory " + std::to_string(peak) + " bytes per device\n";
}

template <class Text>
Text explain_messages(message const* messages, std::size_t count, mesh_value const& mesh,
                      size_polynomial const* of_turn, size_polynomial const* in_all, size_polynomial const& bytes) {
  growable<Text> once;
  for (std::size_t i = 0; i != count; ++i) once.push_back(describe(of_turn[i]));
  return message_table(messages, once, in_all, mesh) + "  " + describe(bytes) +
         " bytes sent per device and call (ring model)\n";
}

#ifdef TESSERA_SEPARATE_ENGINE
template std::string explain_messages<std::string>(message const*, std::size_t, mesh_value const&, std::int64_t,
                                                   std::int64_t);
template std::string explain_messages<std::string>(message const*, std::size_t, mesh_value const&,
                                                   size_polynomial const*, size_polynomial const*,
                                                   size_polynomial const&);
#endif

}  // namespace tessera::detail
