// SPDX-License-Identifier: Apache-2.0
#pragma once
// Channels among ranks that are threads. A message advances only when its ranks poll it, and accesses buffers as late
// as possible: ThreadSanitizer and wrong results show a caller that uses a buffer too early.

#include <tessera/comm/channel/combine.hpp>
#include <tessera/comm/threads/threads.hpp>
#include <tessera/engine/comm/channel/alone.hpp>
#include <tessera/engine/comm/threads/hall.hpp>

#include <numeric>

namespace tessera {

namespace detail {

class thread_operation final : public operation {
public:
  thread_operation(std::shared_ptr<hall> where, int rank, int ranks)
      : hall_(std::move(where)), rank_(rank), ranks_(ranks) {}

  void start() override {
    meeting_ = hall_->meet(number);
    laid_out_ = false;
    meeting_->signatures[rank_] = signature(asked);
    meeting_->come.fetch_add(1, std::memory_order_acq_rel);
  }
  bool advance() override {
    if (!laid_out_) {
      if (meeting_->come.load(std::memory_order_acquire) < ranks_) return false;
      for (auto const one : meeting_->signatures)
        if (one != signature(asked)) throw std::runtime_error("ranks met for different messages");
      lay_out();
      laid_out_ = true;
      meeting_->laid_out.fetch_add(1, std::memory_order_acq_rel);
    }
    if (meeting_->laid_out.load(std::memory_order_acquire) < ranks_) return false;
    take();
    meeting_.reset();
    return true;
  }

private:
  static std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }
  std::byte const* given(int rank) const { return meeting_->given[rank].data(); }

  void lay_out() {
    auto& mine = meeting_->given[rank_];
    auto const bytes = asked.bytes();
    switch (asked.kind) {
      case message_kind::barrier: return;
      case message_kind::broadcast:
        if (rank_ == asked.root) mine.assign(asked.out, asked.out + bytes);
        return;
      case message_kind::reduce_scatter:
      case message_kind::all_to_all: mine.assign(asked.in, asked.in + bytes * ranks_); return;
      case message_kind::exchange: {
        auto& parts = meeting_->sent[rank_];
        for (auto const& part : sent) {
          parts.push_back({static_cast<std::int64_t>(mine.size()), part.bytes});
          mine.insert(mine.end(), asked.in + part.offset, asked.in + part.offset + part.bytes);
        }
        return;
      }
      default: mine.assign(asked.in, asked.in + bytes);
    }
  }
  void take() {
    auto const bytes = asked.bytes();
    switch (asked.kind) {
      case message_kind::barrier: return;
      case message_kind::broadcast: return copy(asked.out, given(asked.root), bytes);
      case message_kind::all_reduce: return combine(0);
      case message_kind::reduce_scatter: return combine(bytes * rank_);
      case message_kind::all_to_all:
        for (int r = 0; r < ranks_; ++r) copy(asked.out + bytes * r, given(r) + bytes * rank_, bytes);
        return;
      case message_kind::exchange:
        for (int r = 0; r < ranks_; ++r) {
          auto const& from = meeting_->sent[r][rank_];
          auto const& to = received[r];
          if (from.bytes != to.bytes) {
            std::string text = "rank ";
            append_number(text, r);
            text += " sends ";
            append_number(text, from.bytes);
            text += " bytes where ";
            append_number(text, to.bytes);
            text += " are received";
            throw std::runtime_error(text);
          }
          copy(asked.out + to.offset, given(r) + from.offset, to.bytes);
        }
        return;
      default:
        for (int r = 0; r < ranks_; ++r) copy(asked.out + bytes * r, given(r), bytes);
    }
  }
  static void copy(std::byte* to, std::byte const* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, size(bytes));
  }
  void combine(std::int64_t offset) {
    std::vector<std::byte const*> blocks;
    for (int r = 0; r < ranks_; ++r) blocks.push_back(given(r) + offset);
    fold_of(asked.element, asked.combine)(asked.out, blocks, asked.count);
  }

  std::shared_ptr<hall> hall_;
  int rank_, ranks_;
  std::shared_ptr<meeting> meeting_;
  bool laid_out_ = false;
};

class thread_channel final : public channel {
public:
  thread_channel(std::shared_ptr<job> all, std::shared_ptr<hall> where, std::string label, int rank,
                 std::vector<int> ranks)
      : channel(std::move(all), std::move(label), rank, std::move(ranks)), hall_(std::move(where)) {}

private:
  std::unique_ptr<operation> make() override { return std::make_unique<thread_operation>(hall_, rank(), size()); }
  std::shared_ptr<channel> part(std::string label, std::vector<int> const& ranks) override {
    auto const& here = state();
    std::vector<int> in_job;
    for (int const r : ranks) in_job.push_back(here.ranks[r]);
    auto const mine = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin());
    return std::make_shared<thread_channel>(here.job, hall_->part(ranks, parts_[ranks]++), std::move(label), mine,
                                            std::move(in_job));
  }
  std::shared_ptr<hall> hall_;
  std::map<std::vector<int>, int> parts_;  // how many channels there have been of these ranks
};

// Runs f as one rank of run_ranks, and returns the exception that it threw.
inline std::exception_ptr run_rank(int rank, std::shared_ptr<board> const& shared, std::shared_ptr<hall> const& where,
                                   std::function<void(std::shared_ptr<channel>)> const& f) {
  std::vector<int> ranks(shared->ranks());
  std::vector<int> const hosts(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  auto const all = std::make_shared<job>("threads", rank, shared, hosts, std::vector<std::string>{detail::host_name()});
  std::exception_ptr thrown;
  try {
    f(std::make_shared<thread_channel>(all, where, "world", rank, ranks));
  } catch (std::exception const& error) {
    all->fail(error.what());
    thrown = std::current_exception();
  } catch (...) {
    all->fail("it left by an exception");
    thrown = std::current_exception();
  }
  all->leave();
  return thrown;
}

inline bool is_comm_error(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (comm_error const&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace detail

TESSERA_ENGINE void run_ranks(int ranks, std::function<void(std::shared_ptr<channel>)> const& f) {
  if (ranks < 1) throw std::invalid_argument("tessera: run_ranks needs a rank.");
  auto const shared = detail::private_board::make(ranks);
  auto const where = std::make_shared<detail::hall>(ranks);
  std::vector<std::exception_ptr> thrown(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { thrown[rank] = detail::run_rank(rank, shared, where, f); });
  for (auto& one : threads) one.join();
  std::exception_ptr first;
  for (auto const& one : thrown)
    if (one && (!first || (detail::is_comm_error(first) && !detail::is_comm_error(one)))) first = one;
  if (first) std::rethrow_exception(first);
}

}  // namespace tessera
