// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of timeline.hpp: records events, and joins those of all processes in one file.

#include <tessera/base/text.hpp>
#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/engine/base/append_json.hpp>
#include <tessera/engine/base/new_file.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tessera {

namespace detail {

struct timeline_event {
  std::int64_t begin = 0, end = 0;
  std::uint32_t label = 0, facts = 0;  // indices into timeline::texts_
  int rank = 0, row = 0;
  span_kind kind{};
};

// The events of this process. Any thread may record.
class timeline {
public:
  static timeline& get() {
    static timeline only;
    return only;
  }
  ~timeline() { save_timeline(); }

  void begin(std::string file) {
    std::lock_guard const lock(mutex_);
    if (timeline_on) throw std::logic_error("tessera: a trace is being recorded already. Fix: stop_trace() first.");
    file_ = std::move(file);
    clear();
    timeline_on = true;
  }
  void record(span_kind kind, int rank, std::string_view label, std::int64_t begin, std::string_view facts) {
    std::int64_t const end = timeline_now();
    static std::atomic<int> threads{0};
    thread_local int const thread = threads++;
    std::lock_guard const lock(mutex_);
    if (!timeline_on) return;
    timeline_event const made{begin, end, number_of(label), number_of(facts), rank, thread, kind};
    if (events_.size() < most_)
      events_.push_back(made);
    else
      events_[recorded_ % most_] = made;
    ++recorded_;
    started_ = std::min(started_, begin);
  }
  bool asked_by_environment() const { return timeline_on && !file_.empty() && from_environment_; }

  // Ends the recording; a collective of all processes.
  void finish(channel* all) {
    std::string const file = end();
    if (all == nullptr || all->size() == 1) return write(file, text(0, started_));
    try {
      join(*all, file);
    } catch (comm_error const&) {
      write(file_of(file, all->rank()), text(0, started_));
      throw;
    }
  }
  // Writes the events of this process alone, if no runtime has called finish.
  void save() {
    if (!timeline_on || file_.empty()) return;
    std::string const file = end();
    int rank = 0;
    for (auto const& e : events_) rank = std::max(rank, e.rank);
    write(file_of(file, rank), text(0, started_));
  }

private:
  timeline() : from_environment_(trace_is_asked_for()) {
    if (from_environment_) file_ = trace_setting();
    most_ = trace_events_setting(if_wrong::ignores);
    clear();
  }
  void clear() {
    started_ = timeline_now();
    recorded_ = 0;
    events_.clear();
    numbers_.clear();
    texts_.clear();
    number_of("");
  }
  std::string end() {
    std::lock_guard const lock(mutex_);
    if (!timeline_on.exchange(false))
      throw std::logic_error("tessera: no trace is being recorded. Fix: start_trace(file), or TESSERA_TRACE=<file>.");
    from_environment_ = false;
    return std::exchange(file_, {});
  }
  std::uint32_t number_of(std::string_view text) {
    auto const [at, made] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (made) texts_.push_back(&at->first);
    return at->second;
  }

  // The file of rank 2 for model.json is model.rank2.json.
  static std::string file_of(std::string file, int rank) {
    if (rank == 0) return file;
    auto const dot = file.rfind('.'), slash = file.rfind('/');
    std::string which = ".rank";
    append_number(which, rank);
    bool const named = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    return file.insert(named ? dot : file.size(), which);
  }
  void join(channel& all, std::string const& file) {
    struct clock {
      std::int64_t now, started;
    };
    all.barrier("a trace's clocks").wait();
    clock const own{timeline_now(), started_};
    std::vector<clock> clocks(all.size());
    all.all_gather(clocks.data(), &own, sizeof own, "a trace's clocks").wait();
    // Processes on one host share a clock; clocks of other hosts are aligned at the barrier. The trace begins with the
    // earliest start.
    auto const behind = [&](std::size_t rank) {
      return all.host(static_cast<int>(rank)) == all.host(0) ? 0 : clocks[0].now - clocks[rank].now;
    };
    std::int64_t zero = started_ + behind(all.rank());
    for (std::size_t r = 0; r < clocks.size(); ++r) zero = std::min(zero, clocks[r].started + behind(r));
    std::string mine = text(behind(all.rank()), zero);
    auto const size = static_cast<std::int64_t>(mine.size());
    std::vector<std::int64_t> sizes(clocks.size());
    all.all_gather(sizes.data(), &size, sizeof size, "a trace's sizes").wait();
    std::vector<message_part> sent(clocks.size()), received(clocks.size());
    std::string joined;
    sent[0].bytes = size;
    if (all.rank() == 0) {
      std::int64_t total = 0;
      for (std::size_t r = 0; r < sizes.size(); total += sizes[r++]) received[r] = {total, sizes[r]};
      joined.resize(total);
    }
    all.exchange(joined.data(), received, mine.data(), sent, "a trace's parts").wait();
    if (all.rank() == 0) write(file, joined);
  }

  static constexpr std::string_view category(span_kind kind) {
    constexpr std::string_view names[]{"call", "step", "loop", "pack", "start", "wait", "unpack", "message"};
    return names[static_cast<int>(kind)];
  }
  static void append_time(std::string& to, std::int64_t nanoseconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f", static_cast<double>(nanoseconds) * 1e-3);
    to += text;
  }
  static void append_place(std::string& to, int rank, int row) {
    to += "\"pid\":";
    append_number(to, rank);
    to += ",\"tid\":";
    append_number(to, row);
  }
  static void append_name(std::string& to, std::string_view what, int rank, int row, std::string_view name) {
    to += R"({"name":")";
    to += what;
    to += R"(","ph":"M",)";
    append_place(to, rank, row);
    to += R"(,"args":{"name":)";
    append_json(to, name);
    to += "}},\n";
  }

  // Messages that overlap in time are drawn in different rows.
  static constexpr int message_rows = 1000;
  void place_messages() {
    std::map<int, std::vector<std::int64_t>> free;  // by rank: the time at which each row is free
    for (auto& e : events_) {
      if (e.kind != span_kind::message) continue;
      auto& rows = free[e.rank];
      auto const found = std::find_if(rows.begin(), rows.end(), [&](std::int64_t end) { return end <= e.begin; });
      e.row = message_rows + static_cast<int>(found - rows.begin());
      if (found == rows.end())
        rows.push_back(e.end);
      else
        *found = e.end;
    }
  }
  // The events as text, one per line with a comma after each; times are relative to `zero`, with `behind` added.
  std::string text(std::int64_t behind, std::int64_t zero) {
    std::sort(events_.begin(), events_.end(), [](auto const& a, auto const& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;  // enclosing events come first
    });
    place_messages();
    std::string all;
    std::map<std::pair<int, int>, int> rows;
    for (auto const& e : events_) rows[{e.rank, e.row}] = 0;
    int last = -1;
    for (auto const& [at, count] : rows) {
      auto const [rank, row] = at;
      if (rank != last) {
        std::string name = "rank ";
        append_number(name, rank);
        name += ", process ";
        append_number(name, ::getpid());
        if (recorded_ > events_.size()) {
          name += ", the last ";
          append_number(name, static_cast<std::int64_t>(events_.size()));
          name += " of ";
          append_number(name, static_cast<std::int64_t>(recorded_));
          name += " events";
        }
        append_name(all, "process_name", rank, row, name);
        last = rank;
      }
      std::string name = row < message_rows ? "thread " : "messages ";
      append_number(name, row % message_rows);
      append_name(all, "thread_name", rank, row, name);
    }
    for (auto const& e : events_) {
      all += R"({"name":)";
      std::string name;
      if (e.kind >= span_kind::pack && e.kind <= span_kind::unpack) {
        name = category(e.kind);
        name += ' ';
      }
      name += *texts_[e.label];
      append_json(all, name);
      all += R"(,"cat":")";
      all += category(e.kind);
      all += R"(","ph":"X","ts":)";
      append_time(all, e.begin + behind - zero);
      all += R"(,"dur":)";
      append_time(all, e.end - e.begin);
      all += ',';
      append_place(all, e.rank, e.row);
      all += R"(,"args":{)";
      all += *texts_[e.facts];
      all += "}},\n";
    }
    return all;
  }
  static void write(std::string const& file, std::string const& events) {
    std::string const all = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" +
                            events.substr(0, events.size() < 2 ? 0 : events.size() - 2) + "\n]}\n";
    replace_file(
        file, all, +[](std::string_view where, std::string_view what, std::string_view fix) {
          std::string text = "tessera: the trace cannot be written: ";
          ((((text += where) += ": ") += what) += ". Fix: ") += fix;
          throw std::runtime_error(text + ".");
        });
  }

  std::mutex mutex_;
  std::string file_;
  bool from_environment_ = false;
  std::int64_t started_ = 0;
  std::size_t most_ = std::size_t{1} << 20, recorded_ = 0;
  std::vector<timeline_event> events_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string const*> texts_;
};

TESSERA_ENGINE void start_timeline(std::string file) { timeline::get().begin(std::move(file)); }
TESSERA_ENGINE void stop_timeline(channel* all) { timeline::get().finish(all); }
TESSERA_ENGINE void record_span(span_kind kind, int rank, std::string_view label, std::int64_t begin,
                                std::string_view facts) {
  timeline::get().record(kind, rank, label, begin, facts);
}
TESSERA_ENGINE void save_timeline() noexcept {
  try {
    timeline::get().save();
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
}
TESSERA_ENGINE void finish_timeline(channel* all) {
  if (!timeline::get().asked_by_environment()) return;
  try {
    bool const whole = std::uncaught_exceptions() == 0 && (all == nullptr || !all->failed());
    if (whole) return timeline::get().finish(all);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  save_timeline();
}

}  // namespace detail
}  // namespace tessera
