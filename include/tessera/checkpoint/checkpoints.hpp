// SPDX-License-Identifier: Apache-2.0
#pragma once
// checkpoints: the numbered checkpoints of a run in one folder, of which the last few are kept.
//   checkpoints saved{"run", 3};
//   for (auto step = ...) { ...; if (step % 100 == 0) saved.save_async(step, state); }
//   state = saved.restore(state);   // the last step

#include <tessera/checkpoint/restore.hpp>
#include <tessera/checkpoint/save.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

class checkpoints {
public:
  // `keep`: how many are kept; 0: all. An earlier one is removed when a later one is in place.
  explicit checkpoints(std::string folder, int keep = 3);

  // Returns when it is in place. The step's checkpoint of an earlier run is replaced. Throws if there is a later step,
  // from which the next start would continue: call remove_after(step) first.
  template <class T>
  void save(std::int64_t step, T const& tree) {
    save_async(step, tree, false);
    wait();
  }
  // Waits for the previous save.
  template <class T>
  void save_async(std::int64_t step, T const& tree) {
    save_async(step, tree, true);
  }
  // Waits until the last one is in place; throws if it failed.
  void wait() { std::exchange(pending_, {}).wait(); }

  // The steps of complete checkpoints, the earliest first.
  std::vector<std::int64_t> steps() const;
  bool empty() const { return steps().empty(); }
  // The last step; throws checkpoint_error if there is none.
  std::int64_t last() const;
  std::string path(std::int64_t step) const;
  // Of several processes, only one calls it.
  void remove_after(std::int64_t step);

  // As tessera::restore, for the last step.
  template <class Tree, Mesh M>
  Tree restore(device_mesh<M> const& mesh, restore_options const& options = {}) const {
    return tessera::restore<Tree>(path(last()), mesh, options);
  }
  template <class Tree, Mesh M>
  Tree restore(M const&, restore_options const& = {}) const {
    written::mesh_without_devices<M>::explain();
    return {};
  }
  template <class Tree>
  Tree restore(Tree const& like, restore_options const& options = {}) const {
    return tessera::restore(path(last()), like, options);
  }

private:
  detail::save_request request(std::int64_t step) const;
  template <class T>
  void save_async(std::int64_t step, T const& tree, bool on_a_thread) {
    if constexpr (detail::can_be_saved<T>()) {
      wait();
      // nvcc 13 treats the reference that an assignment returns as a discarded pending_save.
      static_cast<void>(pending_ =
                            pending_save(detail::begin_save(detail::leaves_of(tree), request(step), on_a_thread)));
    }
  }

  std::string folder_;
  int keep_;
  pending_save pending_{};
};

}  // namespace tessera
