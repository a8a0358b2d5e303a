// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value for each node of a part of a program. Walks over a part read few nodes in front of it: those are in a sorted list,
// so that making one takes time by the part and not by the whole program, which is evaluated while compiling.

#include <tessera/base/growable.hpp>

namespace tessera::detail {

template <class T>
class node_map {
public:
  // Nodes first..end-1 have values `none`. Another node has one once it is set.
  constexpr node_map(int first, int end, T none) : first_(first), none_(none) {
    if (end > first) own_.resize(end - first, none);
  }

  constexpr T at(int id) const {
    if (id >= first_) return id - first_ < static_cast<int>(own_.size()) ? own_[id - first_] : none_;
    int const place = before_.empty() ? 0 : place_of(id);
    return place < static_cast<int>(before_.size()) && before_[place] == id ? values_[place] : none_;
  }
  // Precondition: id < end. The reference is valid until the value of another node in front of the part is asked for.
  constexpr T& operator[](int id) {
    if (id >= first_) return own_[id - first_];
    int const place = place_of(id), count = static_cast<int>(before_.size());
    if (place == count || before_[place] != id) {
      before_.push_back(id);
      values_.push_back(none_);
      for (int k = count; k > place; --k) {
        before_[k] = before_[k - 1];
        values_[k] = values_[k - 1];
      }
      before_[place] = id;
      values_[place] = none_;
    }
    return values_[place];
  }
  // The nodes in front of the part that were asked for, in order.
  constexpr growable<int> const& before() const { return before_; }

private:
  constexpr int place_of(int id) const {
    int from = 0, to = static_cast<int>(before_.size());
    while (from < to) {
      int const middle = (from + to) / 2;
      if (before_[middle] < id)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }

  int first_;
  T none_;
  growable<T> own_;
  growable<int> before_;  // sorted
  growable<T> values_;    // of those
};

}  // namespace tessera::detail
