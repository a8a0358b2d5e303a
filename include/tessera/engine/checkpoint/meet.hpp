// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step that several processes do together succeeds in all of them, or all throw.

#include <tessera/checkpoint/checkpoint_error.hpp>
#include <tessera/comm/channel/mesh_processes.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

// The text of the exception that f throws; empty if it throws none.
template <class F>
std::string failure_of(F const& f) {
  try {
    f();
  } catch (std::exception const& error) {
    std::string text = error.what();
    if (text.empty()) text = "tessera: an error without a text";
    return text;
  }
  return {};
}

// Joins the processes that have the arrays of a tree: of their meshes, the one over most processes. Null if all are this
// process'.
template <class Arrays>
std::shared_ptr<channel> channel_of_all(Arrays const& arrays) {
  std::shared_ptr<channel> most;
  for (auto const& array : arrays)
    if (auto const all = channel_of(array.mesh.value()); all && (!most || all->size() > most->size())) most = all;
  return most;
}

// Returns if no process has failed, else throws in all. `all`: null if there is only this process.
inline void agree(channel* all, std::string const& failure, std::string_view label) {
  if (!all) {
    if (!failure.empty()) throw checkpoint_error(failure);
    return;
  }
  std::size_t const ranks = all->size();
  std::int64_t const mine = static_cast<std::int64_t>(failure.size());
  std::vector<std::int64_t> sizes(ranks);
  all->all_gather(sizes.data(), &mine, sizeof mine, label).wait();
  std::size_t first = 0;
  while (first < ranks && sizes[first] == 0) ++first;
  if (first == ranks) return;
  std::string text = failure;
  if (static_cast<int>(first) != all->rank()) text.assign(sizes[first], '\0');
  all->broadcast(text.data(), sizes[first], static_cast<int>(first), label).wait();
  if (!failure.empty()) throw checkpoint_error(failure);
  std::string of = "tessera: process ";
  of += std::to_string(first);
  of += " says: ";
  of += text;
  throw checkpoint_error(of);
}

}  // namespace tessera::detail
