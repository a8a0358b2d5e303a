// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs planned at run time, kept by the sizes and layouts for which they were planned.

#include <tessera/array/stored_array.hpp>
#include <tessera/aval/describe.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::detail {

struct run_time_program;  // api/loaded_program.hpp

// The programs of one trace, by the sizes and layouts of the arguments for which they were planned: the 100 most
// recently used ones. Any thread may look one up. A thread that needs a new program plans it without holding the lock.
class sized_programs {
public:
  using held = std::shared_ptr<run_time_program const>;

  held find(mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    std::lock_guard const lock(guard_);
    return look(mesh, arguments);
  }
  // Returns the program that another thread kept for the same arguments in the meantime, if there is one.
  held keep(mesh_value const& mesh, std::vector<stored_array> const& arguments, held program) {
    std::lock_guard const lock(guard_);
    if (held known = look(mesh, arguments)) return known;
    entry made{{}, mesh.processes, std::move(program), ++uses_};
    for (int a = 0; a < mesh.rank; ++a) made.sizes.push_back(mesh.size(a));
    for (stored_array const& x : arguments)
      for (int d = 0; d < x.facts.rank; ++d) {
        made.sizes.push_back(x.facts.extent(d));
        made.sizes.push_back(x.facts.entry(d).code);
      }
    last_ = programs_.size();
    if (last_ == most) {
      last_ = 0;
      for (std::size_t i = 1; i < most; ++i)
        if (programs_[i].used < programs_[last_].used) last_ = i;
      programs_[last_] = std::move(made);
    } else {
      programs_.push_back(std::move(made));
    }
    return programs_[last_].program;
  }
  std::size_t size() {
    std::lock_guard const lock(guard_);
    return programs_.size();
  }

  // Why no program is kept for these arguments: in what they differ from those of the last call.
  TESSERA_COLD std::string difference(mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    std::lock_guard const lock(guard_);
    return programs_.empty() ? "the first call" : programs_[last_].difference(mesh, arguments);
  }

  static constexpr std::size_t most = 100;

private:
  struct entry {
    std::vector<std::int64_t> sizes;  // and layouts
    process_grid const* processes = nullptr;
    held program;
    std::uint64_t used = 0;
    bool is_for(mesh_value const& mesh, std::vector<stored_array> const& arguments) const {
      std::size_t i = 0;
      if (processes != mesh.processes) return false;
      for (int a = 0; a < mesh.rank; ++a)
        if (sizes[i++] != mesh.size(a)) return false;
      for (stored_array const& x : arguments)
        for (int d = 0; d < x.facts.rank; ++d) {
          if (sizes[i++] != x.facts.extent(d)) return false;
          if (sizes[i++] != x.facts.entry(d).code) return false;
        }
      return true;
    }
    std::string difference(mesh_value const& mesh, std::vector<stored_array> const& arguments) const {
      std::string text;
      auto const is_was = [&](std::string const& what, std::string const& is, std::string const& was) {
        text += (text.empty() ? "" : ", ") + what + ' ' + is + ", was " + was;
      };
      std::size_t i = 0;
      mesh_value before = mesh;
      for (int a = 0; a < mesh.rank; ++a)
        if (before.sizes[a] = sizes[i++]; before.size(a) != mesh.size(a))
          is_was("the size of mesh axis " + std::string(mesh.name(a)) + " is", std::to_string(mesh.size(a)),
                 std::to_string(before.size(a)));
      if (processes != mesh.processes)
        text += (text.empty() ? "" : ", ") + std::string("the mesh lies in other processes");
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        array_value was = arguments[k].facts;
        for (int d = 0; d < was.rank; ++d) {
          was.extents[d] = sizes[i++];
          was.spec[d].code = static_cast<decltype(was.spec[d].code)>(sizes[i++]);
        }
        array_value const& is = arguments[k].facts;
        if (was.extents != is.extents || was.spec != is.spec)
          is_was("argument " + std::to_string(k) + " is", describe(is, mesh), describe(was, before));
      }
      return text;
    }
  };

  // Compares the program that was used last first.
  held look(mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    for (std::size_t k = 0; k < programs_.size(); ++k) {
      std::size_t const i = (last_ + k) % programs_.size();
      if (!programs_[i].is_for(mesh, arguments)) continue;
      last_ = i;
      programs_[i].used = ++uses_;
      return programs_[i].program;
    }
    return nullptr;
  }

  std::mutex guard_;
  std::vector<entry> programs_;
  std::size_t last_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace tessera::detail
