// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills batches ahead of their use, on a thread.

#include <tessera/array/device_put.hpp>
#include <tessera/data/loader.hpp>
#include <tessera/data/loader_options.hpp>
#include <tessera/engine/data/field_blocks.hpp>
#include <tessera/engine/data/shuffled_order.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace tessera::detail {

[[noreturn]] inline void bad_loader(std::string const& what) {
  throw std::invalid_argument("tessera: loader: " + what);
}

struct batch_stream::state {
  struct made_batch {
    std::vector<buffer> fields{};
    loader_position after{};
    std::exception_ptr error{};
  };

  loader_options options;
  row_set set{};
  std::int64_t batch = 0;
  std::vector<field_blocks> fields{};
  index_range needed{};
  loader_position position{};  // of the next batch that is returned

  std::thread worker{};
  std::mutex mutex{};
  std::condition_variable changed{};
  std::deque<made_batch> waiting{};
  bool stop = false;

  state(concrete_mesh const& mesh, loader_options const& wanted, std::vector<batch_field> given) : options(wanted) {
    if (mesh.empty()) no_devices();
    open_batch(given);
    require_sources(given);
    position = {options.key, set.count, 0, 0};
    for (batch_field const& field : given) fields.emplace_back(field, mesh);
    needed = {batch, 0};
    for (field_blocks const& field : fields) field.widen(needed);
    needed.start = std::min(needed.start, needed.stop);
  }
  ~state() { halt(); }

  // Sets the number of rows of a batch: from the types or, if they leave it open, from the options.
  void open_batch(std::vector<batch_field>& given) {
    batch = options.batch;
    for (batch_field const& field : given)
      if (std::int64_t const extent = field.extents[0]; extent != dynamic) {
        if (batch != 0 && batch != extent)
          bad_loader("batches of " + std::to_string(batch) + " rows are asked for, and their types have " +
                     std::to_string(extent) + ". Fix: leave .batch out.");
        batch = extent;
      }
    if (batch < 1) bad_loader("a batch has no rows. Fix: .batch = 64, where the types leave it open.");
    for (batch_field& field : given) {
      field.extents[0] = batch;
      if (field.source)
        for (int d = 1; d < field.extents.size() && field.extents.size() == field.source->extents().size() + 1; ++d)
          if (field.extents[d] == dynamic) field.extents[d] = field.source->extents()[d - 1];
      double bytes = bytes_of(field.element);
      for (auto extent : field.extents) bytes *= static_cast<double>(std::max<std::int64_t>(extent, 1));
      if (bytes > 1e18)
        bad_loader("a batch of (" + text_of(field.extents) + ") is more than any memory holds. Fix: a smaller batch.");
    }
  }
  void require_sources(std::vector<batch_field> const& given) {
    std::int64_t count = -1;
    for (std::size_t i = 0; i < given.size(); ++i) {
      batch_field const& field = given[i];
      if (!field.source) continue;
      std::string const source = "source " + std::to_string(i);
      extents_list const row = field.source->extents();
      bool fits = row.size() + 1 == field.extents.size();
      for (int d = 0; fits && d < row.size(); ++d) fits = row[d] == field.extents[d + 1];
      if (!fits)
        bad_loader(source + " has rows of (" + text_of(row) + "), and a batch of its type is (" +
                   text_of(field.extents) + "). Fix: an array type of the batch's rows, then these extents.");
      if (field.source->element() != field.element)
        bad_loader(source + " is " + std::string(name_of(field.source->element())) + ", and its type " +
                   std::string(name_of(field.element)) + ". Fix: a row_source of the array's dtype.");
      std::int64_t const own = field.source->count();
      if (count >= 0 && own != count)
        bad_loader(source + " has " + std::to_string(own) + " rows, and those before " + std::to_string(count) +
                   ". Fix: sources of the same rows.");
      count = own;
    }
    if (count < 0) bad_loader("there is no source but masks. Fix: rows_of<T> for at least one type.");
    set = options.rows.value_or(row_set{count, 0, count});
    if (set.all != count || set.first < 0 || set.count < 0 || set.first > count - set.count)
      bad_loader("the set of rows is not one of these " + std::to_string(count) +
                 ". Fix: split_rows(source.count(), ...).");
    if (options.ahead < 0) bad_loader("a number of batches ahead is not negative. Fix: .ahead = 2.");
    if (batches() == 0)
      bad_loader(std::to_string(set.count) + " rows are no whole batch of " + std::to_string(batch) +
                 ". Fix: a smaller batch, or .last = last_batch::padded.");
  }
  static std::string text_of(extents_list const& extents) {
    std::string text;
    for (int d = 0; d < extents.size(); ++d) {
      if (d) text += ", ";
      text += std::to_string(extents[d]);
    }
    return text;
  }

  // The rows of an epoch that belong to batches.
  std::int64_t rows() const { return options.last == last_batch::padded ? set.count : set.count / batch * batch; }
  std::int64_t batches() const { return (rows() + batch - 1) / batch; }

  // Moves to the next epoch after the last batch of one.
  void turn_over(loader_position& at) const {
    bool const over = options.last == last_batch::padded ? at.row >= set.count : at.row + batch > set.count;
    if (over) at = {at.key, at.rows, at.epoch + 1, 0};
  }

  // The most recently used orders: of the thread, or of the caller if there is no thread.
  struct order_of_epochs {
    std::optional<shuffled_order> of_set{}, of_epoch{};
    std::int64_t epoch = -1;
  };
  made_batch make(loader_position const& at, order_of_epochs& orders) const {
    made_batch made;
    made.after = at;
    made.after.row = at.row + batch;
    turn_over(made.after);
    try {
      if (set.shuffled && !orders.of_set) orders.of_set.emplace(set.all, set.key);
      if (options.shuffle && orders.epoch != at.epoch)
        orders.of_epoch.emplace(set.count, key_of(options.key, static_cast<std::uint64_t>(at.epoch)));
      orders.epoch = at.epoch;
      std::vector<std::int64_t> rows_of_batch;
      for (std::int64_t i = needed.start; i < needed.stop; ++i) {
        std::int64_t row = at.row + i;
        if (row >= set.count) {
          rows_of_batch.push_back(-1);
          continue;
        }
        if (options.shuffle) row = (*orders.of_epoch)[row];
        row += set.first;
        rows_of_batch.push_back(set.shuffled ? (*orders.of_set)[row] : row);
      }
      for (field_blocks const& field : fields) made.fields.push_back(field.filled(rows_of_batch, needed.start));
    } catch (...) {
      made.fields.clear();
      made.error = std::current_exception();
    }
    return made;
  }

  order_of_epochs own_orders{};
  made_batch take() {
    if (options.ahead == 0) return make(position, own_orders);
    if (!worker.joinable())
      worker = std::thread([this, at = position]() mutable {
        order_of_epochs orders;
        while (true) {
          made_batch made = make(at, orders);
          at = made.after;
          bool const failed = made.error != nullptr;
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return stop || waiting.size() < static_cast<std::size_t>(options.ahead); });
          if (stop) return;
          waiting.push_back(std::move(made));
          changed.notify_all();
          if (failed) return;
        }
      });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !waiting.empty(); });
    made_batch made = std::move(waiting.front());
    waiting.pop_front();
    changed.notify_all();
    return made;
  }
  void halt() {
    if (!worker.joinable()) return;
    {
      std::lock_guard const lock(mutex);
      stop = true;
    }
    changed.notify_all();
    worker.join();
    stop = false;
    waiting.clear();
  }
};

TESSERA_ENGINE batch_stream::batch_stream(concrete_mesh const& mesh, loader_options const& options,
                                          std::vector<batch_field> fields)
    : state_(std::make_unique<state>(mesh, options, std::move(fields))) {}
TESSERA_ENGINE batch_stream::batch_stream(batch_stream&&) noexcept = default;
TESSERA_ENGINE batch_stream& batch_stream::operator=(batch_stream&&) noexcept = default;
TESSERA_ENGINE batch_stream::~batch_stream() = default;

TESSERA_ENGINE std::vector<stored_array> batch_stream::next() {
  state::made_batch made = state_->take();
  if (made.error) {
    state_->halt();  // the next call tries this batch again
    std::rethrow_exception(made.error);
  }
  state_->position = made.after;
  std::vector<stored_array> arrays;
  for (std::size_t i = 0; i < made.fields.size(); ++i)
    arrays.push_back({state_->fields[i].facts(), moved_to(memory_kind::device, made.fields[i])});
  return arrays;
}
TESSERA_ENGINE loader_position const& batch_stream::position() const { return state_->position; }
TESSERA_ENGINE std::int64_t batch_stream::batches() const { return state_->batches(); }
TESSERA_ENGINE std::int64_t batch_stream::rows() const { return state_->rows(); }
TESSERA_ENGINE void batch_stream::seek(loader_position const& to) {
  loader_position const& own = state_->position;
  if (to.key != own.key || to.rows != own.rows)
    bad_loader("this position is one of " + std::to_string(to.rows) + " rows in the order of key " +
               std::to_string(to.key) + ", and here are " + std::to_string(own.rows) + " and key " +
               std::to_string(own.key) + ". Fix: the loader that the position is from.");
  if (to.row < 0 || to.row >= own.rows)
    bad_loader("no epoch has the row " + std::to_string(to.row) + ". Fix: a position that position() has given.");
  if (to.epoch < 0 || to.epoch > std::numeric_limits<std::int64_t>::max() / 4 / own.rows)  // so that rows_seen() fits
    bad_loader("there is no epoch " + std::to_string(to.epoch) + ". Fix: a position that position() has given.");
  state_->halt();
  state_->position = to;
  state_->turn_over(state_->position);
}

}  // namespace tessera::detail
