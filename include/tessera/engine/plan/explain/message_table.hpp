// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of a program's messages, and the totals below it.

#include <tessera/aval/describe.hpp>
#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/explain/text_table.hpp>
#include <tessera/plan/sizes/size_polynomial.hpp>

namespace tessera::detail {

// The totals of messages by name, one line per name. `Bytes`: a sum that describe() can write.
template <class Bytes, class Text>
class message_totals {
public:
  void add(Text const& name, Bytes const& bytes, std::int64_t times) {
    for (std::size_t i = first_; i < names_.size(); ++i)
      if (names_[i] == name) {
        bytes_[i] += bytes;
        counts_[i] += known_bytes<Text>{times};
        return;
      }
    names_.push_back(name);
    bytes_.push_back(bytes);
    counts_.push_back({times});
  }
  // Begins another kind of names. If the previous kind has only one name, its line says nothing and is removed.
  void next_kind() {
    if (names_.size() == first_ + 1) {
      names_.resize(first_);
      bytes_.resize(first_);
      counts_.resize(first_);
    }
    first_ = names_.size();
  }
  Text text() const {
    growable<std::array<Text, 3>> rows;
    rows.push_back({"totals", "collectives", "bytes"});
    for (std::size_t i = 0; i < names_.size(); ++i)
      rows.push_back({names_[i], describe(counts_[i]), describe(bytes_[i])});
    return names_.empty() ? Text() : text_table<3>(rows, 6);
  }

private:
  growable<Text> names_;
  growable<Bytes> bytes_;
  growable<known_bytes<Text>> counts_;
  std::size_t first_ = 0;
};

// `once`: the bytes of each message in one iteration of the loops around it; `in_all`: in one call.
template <class Bytes, class Text>
Text message_table(message const* messages, growable<Text> const& once, Bytes const* in_all, mesh_value const& mesh) {
  if (once.empty()) return "  nothing\n";
  bool gradient = false;
  for (std::size_t i = 0; i < once.size(); ++i) gradient = gradient || messages[i].pass() != program_pass::forward;
  growable<std::array<Text, 8>> rows;
  rows.push_back({"collective", "axes", "bytes", "in all", "pass", "for", "line", "scope"});
  for (std::size_t i = 0; i < once.size(); ++i) {
    message const& m = messages[i];
    Text axes;
    append_axes(axes, m.axes, mesh);
    Text const times = m.times == 1 ? "" : m.times == dynamic ? " each turn" : " x " + std::to_string(m.times);
    rows.push_back({Text(name_of(m.kind)), axes, once[i] + times, m.times == 1 ? "" : describe(in_all[i]),
                    gradient ? Text(name_of(m.pass())) : "", m.cause ? Text(m.cause->name) : "",
                    line_text<Text>(m.at) + (m.joined > 1 ? " and " + std::to_string(m.joined - 1) + " more" : ""),
                    scope_text<Text>(m.at)});
  }
  message_totals<Bytes, Text> totals;
  for (int a = 0; a < mesh.rank; ++a)
    for (std::size_t i = 0; i < once.size(); ++i)
      if (messages[i].axes.contains(a)) totals.add("over " + Text(mesh.name(a)), in_all[i], messages[i].times);
  totals.next_kind();
  for (std::size_t i = 0; i < once.size(); ++i) totals.add(rows[i + 1][0], in_all[i], messages[i].times);
  totals.next_kind();
  for (std::size_t i = 0; i < once.size(); ++i) totals.add(rows[i + 1][4], in_all[i], messages[i].times);
  totals.next_kind();
  for (std::size_t i = 0; i < once.size(); ++i) totals.add(rows[i + 1][6], in_all[i], messages[i].times);
  totals.next_kind();
  bool scoped = false;
  for (std::size_t i = 0; i < once.size(); ++i) scoped = scoped || !rows[i + 1][7].empty();
  for (std::size_t i = 0; scoped && i < once.size(); ++i)
    totals.add(rows[i + 1][7].empty() ? "outside of scopes" : rows[i + 1][7], in_all[i], messages[i].times);
  totals.next_kind();
  return text_table<8>(rows, 12) + totals.text();
}

}  // namespace tessera::detail
