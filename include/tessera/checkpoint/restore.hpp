// SPDX-License-Identifier: Apache-2.0
#pragma once
// restore: a folder that save wrote, or safetensors files of other programs -> the tree, on the mesh and in the layouts
// of its types.
//   auto state = restore<decltype(state)>("run/last", mesh);
//   state = restore("run/last", state);                             // in the layouts and sizes of `state`
//   auto p = restore<weights>("bert.safetensors", mesh, {.rename = {{"encoder", "bert.encoder"}}});
// Bytes: the blocks of this process, in chunks of 1 MiB, each checked against its hash. Everything is checked and read
// before restore returns: a checkpoint that is refused changes nothing.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/checkpoint/checkpoint_error.hpp>
#include <tessera/checkpoint/leaves.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

// A leaf of the tree, or all leaves below it, and its name in the checkpoint: {"params", "model.encoder"} reads
// params.w1 from model.encoder.w1. "" is the whole tree.
struct renamed_leaf {
  std::string leaf, stored;
};

struct restore_options {
  std::vector<renamed_leaf> rename{};
  // Leaves, or all leaves below them, that the checkpoint need not have: they keep the values of the tree that restore
  // was given, or are zeros. "" is the whole tree.
  std::vector<std::string> may_be_missing{};
};

namespace detail {
struct wanted_array {
  std::string name;
  dtype element = dtype::float32;
  memory_kind memory = memory_kind::device;
  extents_list shape{};  // dynamic: the checkpoint's
  spec_value spec{};
  concrete_mesh mesh;
  bool exact_spec = false;  // otherwise Auto axes split it as when it was saved, if they can
  stored_array former{};    // with memory: the value if it is missing
};
struct wanted_value {
  std::string name;
};
struct wanted_leaves {
  std::vector<wanted_array> arrays;
  std::vector<wanted_value> values;
};
struct restored_leaves {
  std::vector<stored_array> arrays;
  struct value {
    std::string json, where;  // empty if it is missing
  };
  std::vector<value> values;
};
restored_leaves restore_leaves(std::string const& path, wanted_leaves const& wanted, restore_options const& options);

// The leaves of a tree that is being made, in the order of tree_each_with_path.
template <class F, class T>
void fill_leaves(T& tree, F const& f) {
  tree_each([&]<class Leaf>(Leaf const& leaf) { f(const_cast<Leaf&>(leaf)); }, tree);
}

template <class M>
struct goes_onto {
  template <class Leaf>
  struct leaf {
    static constexpr bool value = true;
  };
  template <ArrayType A>
  struct leaf<array<A>> {
    static constexpr bool value = std::is_same_v<typename A::mesh, M> || std::is_same_v<typename A::mesh, no_mesh>;
  };
};
template <class A, class M>
auto mesh_for(device_mesh<M> const& mesh) {
  if constexpr (std::is_same_v<typename A::mesh_type, M>)
    return mesh;
  else
    return device_mesh<no_mesh>::anywhere(default_device());
}

// `mesh(leaf)`: the mesh of an array; `exact`: with its present layout.
template <bool Exact, class T, class MeshOf>
T restored_tree(std::string const& path, T tree, restore_options const& options, MeshOf const& mesh_of) {
  wanted_leaves wanted;
  tree_each_with_path(
      [&]<class Leaf>(std::string const& name, Leaf const& leaf) {
        if constexpr (is_array<Leaf>) {
          using type = typename Leaf::type;
          wanted_array w{leaf_name(name),
                         type::value.element,
                         type::value.memory,
                         type::value.shape(),
                         layout_of(type::value),
                         mesh_of(leaf),
                         Exact,
                         {}};
          if constexpr (Exact) {
            w.shape = leaf.shape();
            w.spec = layout_of(leaf.stored().facts);
            w.former = leaf.stored();
          }
          wanted.arrays.push_back(std::move(w));
        } else {
          wanted.values.push_back({leaf_name(name)});
        }
      },
      tree);
  auto found = restore_leaves(path, wanted, options);
  std::size_t arrays = 0, values = 0;
  fill_leaves(tree, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (is_array<Leaf>) {
      leaf = Leaf(mesh_of(leaf), std::move(found.arrays[arrays++]));
    } else {
      auto const& value = found.values[values++];
      if (!value.json.empty()) value_from_json(value.json, leaf, value.where);
    }
  });
  return tree;
}
}  // namespace detail

namespace functions {

// Arrays are put on this mesh, those without a mesh on the default device. Extents that the types leave open are the
// checkpoint's; Auto axes of this mesh split arrays as in the checkpoint, if they can. If the mesh is on several
// processes, all of them call it. Throws checkpoint_error if the checkpoint is damaged or has another tree.
template <class Tree, Mesh M>
Tree restore(std::string const& path, device_mesh<M> const& mesh, restore_options const& options = {}) {
  constexpr bool fits = detail::each_leaf<detail::goes_onto<M>::template leaf, Tree>();
  static_assert(fits,
                "tessera: an array of the tree is on another type of mesh than the one that restore is given. Fix: "
                "restore(path, tree), with a tree that has the arrays where they shall be.");
  if constexpr (fits && detail::can_be_saved<Tree>())
    return detail::restored_tree<false>(path, Tree{}, options,
                                        [&]<class A>(A const&) { return detail::mesh_for<A>(mesh); });
  else
    return {};
}
template <class Tree, Mesh M>
Tree restore(std::string const&, M const&, restore_options const& = {}) {
  written::mesh_without_devices<M>::explain();
  return {};
}
// Arrays get the layouts and devices of those of `like`, with the same extents.
template <class Tree>
Tree restore(std::string const& path, Tree const& like, restore_options const& options = {}) {
  if constexpr (detail::can_be_saved<Tree>())
    return detail::restored_tree<true>(path, like, options, [](auto const& x) { return x.mesh(); });
  else
    return like;
}

}  // namespace functions

// The contents of a checkpoint, or of a safetensors file: a line for each array and number.
std::string describe_checkpoint(std::string const& path);

}  // namespace tessera
