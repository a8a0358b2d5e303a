// SPDX-License-Identifier: Apache-2.0
#pragma once
// explain(cost): what a program communicates, as a table: collective, axes, bytes, the operation, its line and, where
// there is a gradient, its pass; then the totals by axis, kind, pass and line. In loops: bytes of one turn, how many turns,
// and both together. Bytes are polynomials where sizes are unknown.
// explain(prediction): its times in microseconds.
// explain(memory): what a device's memory holds at the worst step, and for which lines.

#include <tessera/aval/describe.hpp>
#include <tessera/plan/cost.hpp>
#include <tessera/plan/cost_of_sizes.hpp>

#include <array>
#include <string>

namespace tessera {

struct memory_use;  // plan/memory_use.hpp
struct prediction;  // plan/predict.hpp

constexpr std::string_view name_of(program_pass pass) {
  constexpr std::string_view names[]{"forward", "backward", "recomputed"};
  return names[static_cast<int>(pass)];
}

namespace detail {

// Rows under a heading, as columns; those in `numbers` flush right, those without a cell left out.
template <std::size_t N, class Text>
Text text_table(growable<std::array<Text, N>> const& rows, std::uint32_t numbers) {
  std::array<std::size_t, N> width{};
  for (std::size_t c = 0; c < N; ++c) {
    bool any = false;
    for (std::size_t r = 1; r < rows.size(); ++r) any = any || !rows[r][c].empty();
    for (auto const& row : rows) width[c] = std::max(width[c], any ? row[c].size() : 0);
  }
  Text text;
  for (auto const& row : rows) {
    Text line(1, ' ');
    for (std::size_t c = 0; c < N; ++c) {
      if (width[c] == 0) continue;
      Text const pad(width[c] - row[c].size(), ' ');
      line += ' ' + ((numbers >> c & 1) != 0 ? pad + row[c] : row[c] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

template <class Text>
Text line_text(site at) {
  if (at.line == 0) return "the call";
  Text line = at.file;
  if (auto const slash = line.rfind('/'); slash != Text::npos) line.erase(0, slash + 1);
  line += ':';  // by itself: g++ 12 warns of ":" + number as of overlapping memory
  return line += std::to_string(at.line);
}

// A number of bytes or of messages, which may be unknown, or a bound. Text: std::string; a template, as all here, so that
// nobody compiles it who does not ask.
template <class Text>
struct known_bytes {
  std::int64_t number = 0;
  bool bound = false;

  known_bytes& operator+=(known_bytes const& more) {
    number = number == dynamic || more.number == dynamic ? dynamic : number + more.number;
    bound = bound || more.bound;
    return *this;
  }
  friend Text describe(known_bytes const& x) {
    return x.number == dynamic ? Text("unknown") : Text(x.bound ? "<= " : "") + std::to_string(x.number);
  }
};

// The totals of messages that have a name in common: each name has its line. `Bytes`: a sum that describe() writes.
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
  // What is added from here on is of another kind. One that has a single name says nothing: it is taken back.
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

// `once`: the bytes of each message in one turn of the loops around it; `in_all`: in one call.
template <class Messages, class All, class Text>
Text message_table(Messages const& messages, growable<Text> const& once, All const& in_all, mesh_value const& mesh) {
  using Bytes = std::remove_cvref_t<decltype(in_all[0])>;
  if (once.empty()) return "  nothing\n";
  bool gradient = false;
  for (std::size_t i = 0; i < once.size(); ++i) gradient = gradient || messages[i].pass() != program_pass::forward;
  growable<std::array<Text, 7>> rows;
  rows.push_back({"collective", "axes", "bytes", "in all", "pass", "for", "line"});
  for (std::size_t i = 0; i < once.size(); ++i) {
    message const& m = messages[i];
    Text axes;
    append_axes(axes, m.axes, mesh);
    Text const times = m.times == 1 ? "" : m.times == dynamic ? " each turn" : " x " + std::to_string(m.times);
    rows.push_back({Text(name_of(m.kind)), axes, once[i] + times, m.times == 1 ? "" : describe(in_all[i]),
                    gradient ? Text(name_of(m.pass())) : "", m.cause ? Text(m.cause->name) : "",
                    line_text<Text>(m.at) + (m.joined > 1 ? " and " + std::to_string(m.joined - 1) + " more" : "")});
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
  return text_table<7>(rows, 12) + totals.text();
}

}  // namespace detail

template <Mesh M, std::size_t Messages>
std::string explain(communication<M, Messages> const& cost) {
  growable<std::string> once;
  std::array<detail::known_bytes<std::string>, Messages> in_all{};
  for (std::size_t i = 0; i != Messages; ++i) {
    message const& m = cost.messages()[i];
    in_all[i] = {m.bytes, m.is_bound()};
    once.push_back(describe(in_all[i]));
    in_all[i].number = m.times == dynamic || m.bytes == dynamic ? dynamic : m.times * m.bytes;
  }
  return detail::message_table(cost.messages(), once, in_all, M::value) + "  " +
         (cost.bytes() == dynamic ? std::string("an unknown number of") : std::to_string(cost.bytes())) +
         " bytes sent per device and call (ring model), peak memory " + std::to_string(cost.peak_bytes()) +
         " bytes per device\n";
}

template <Mesh M, std::size_t Messages>
std::string explain(communication_of_sizes<M, Messages> const& cost) {
  growable<std::string> once;
  std::array<size_polynomial, Messages> in_all{};
  for (std::size_t i = 0; i != Messages; ++i) {
    in_all[i] = cost.bytes_of(i);
    once.push_back(describe(cost.bytes_of_turn(i)));
  }
  return detail::message_table(cost.messages(), once, in_all, M::value) + "  " + describe(cost.bytes()) +
         " bytes sent per device and call (ring model)\n";
}

namespace detail {

template <class Memory, class Text>
Text memory_table(Memory const& memory) {
  if (!memory.known()) return "  memory of unknown sizes\n";
  growable<std::array<Text, 3>> kinds;
  kinds.push_back({"memory per device", "bytes", ""});
  kinds.push_back({"arguments", std::to_string(memory.arguments), ""});
  kinds.push_back({"results", std::to_string(memory.results), ""});
  Text const where = memory.temporaries ? "at " + line_text<Text>(memory.at) : Text();
  kinds.push_back({"temporaries", std::to_string(memory.temporaries), where});
  kinds.push_back({"peak", std::to_string(memory.peak), ""});
  Text const kept = memory.kept_for_backward ? "  the backward pass reads " + std::to_string(memory.kept_for_backward) +
                                                   " bytes that the forward pass keeps for it\n"
                                             : Text();
  growable<std::array<Text, 5>> values;
  values.push_back({"at the peak", "bytes", "pass", "made by", "line"});
  bool gradient = false;
  for (auto const& v : memory.at_peak) gradient = gradient || v.at.pass != program_pass::forward;
  for (auto const& v : memory.at_peak) {
    Text block;
    describe_to(block, v.block, mesh_value{});
    values.push_back({block, std::to_string(v.bytes), gradient ? Text(name_of(v.at.pass)) : "",
                      v.made_by ? Text(v.made_by->name) : "", line_text<Text>(v.at)});
  }
  return text_table<3>(kinds, 2) + kept + (memory.at_peak.empty() ? Text() : text_table<5>(values, 2));
}

}  // namespace detail

// The table of memory_of<F, Args...>: kinds, then the largest temporaries at the peak as one device's blocks.
template <class Memory>
  requires std::is_same_v<Memory, memory_use> std::string explain(Memory const& memory) {
    return detail::memory_table<Memory, std::string>(memory);
  }

template <class Prediction>
  requires std::is_same_v<Prediction, prediction> std::string explain(Prediction const& p) {
    auto const in = [](double seconds) { return std::to_string(seconds * 1e6) + " us"; };
    return "  on the device " + in(p.on_device) + " (compute " + in(p.compute) + ", memory " + in(p.memory) +
           "), communication " + in(p.communication) + "; together " + in(p.total()) + ", overlapped " +
           in(p.overlapped()) + (p.exact ? "\n" : ", at least\n");
  }

}  // namespace tessera
