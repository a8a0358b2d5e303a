// SPDX-License-Identifier: Apache-2.0
#pragma once
// oneDNN's C interface behind types that release what they hold. The build defines TESSERA_ONEDNN if it has the library
// (cmake/find_onednn.cmake). Primitives are made for one thread: the tiles of a launch call them.

#if defined(TESSERA_ONEDNN)
#include <oneapi/dnnl/dnnl.h>

#include <tessera/base/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace tessera::detail::onednn {

template <class Handle, auto Destroy>
struct destroyer {
  using pointer = Handle;
  void operator()(Handle handle) const { Destroy(handle); }
};
template <class Handle, auto Destroy>
using owner = std::unique_ptr<std::remove_pointer_t<Handle>, destroyer<Handle, Destroy>>;

using memory_desc = owner<dnnl_memory_desc_t, &dnnl_memory_desc_destroy>;
using primitive_desc = owner<dnnl_primitive_desc_t, &dnnl_primitive_desc_destroy>;
using primitive = owner<dnnl_primitive_t, &dnnl_primitive_destroy>;
using attributes = owner<dnnl_primitive_attr_t, &dnnl_primitive_attr_destroy>;
using memory = owner<dnnl_memory_t, &dnnl_memory_destroy>;

// OpenMP's threads of this thread's parallel regions are one while it lives.
class one_thread {
public:
#if defined(_OPENMP)
  one_thread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~one_thread() { omp_set_num_threads(before_); }
#else
  one_thread() {}
  ~one_thread() {}
#endif
  one_thread(one_thread const&) = delete;
  one_thread& operator=(one_thread const&) = delete;

private:
#if defined(_OPENMP)
  int before_;
#endif
};

// Lives until the process ends, since threads may outlive main's objects.
inline dnnl_engine_t engine() {
  static dnnl_engine_t const made = [] {
    dnnl_engine_t all = nullptr;
    return dnnl_engine_create(&all, dnnl_cpu, 0) == dnnl_success ? all : nullptr;
  }();
  return made;
}
inline dnnl_stream_t stream() {
  struct own {
    dnnl_stream_t made = nullptr;
    own() { dnnl_stream_create(&made, engine(), dnnl_stream_default_flags); }
    ~own() { dnnl_stream_destroy(made); }
  };
  thread_local own const mine;
  return mine.made;
}
// "3.2.0".
inline std::string version() {
  auto const* const v = dnnl_version();
  return std::to_string(v->major) + '.' + std::to_string(v->minor) + '.' + std::to_string(v->patch);
}

// Primitives take their scratch memory as an argument, so that several threads may run one.
inline attributes scratch_is_given() {
  dnnl_primitive_attr_t made = nullptr;
  dnnl_primitive_attr_create(&made);
  dnnl_primitive_attr_set_scratchpad_mode(made, dnnl_scratchpad_mode_user);
  return attributes(made);
}
inline std::size_t bytes_of(const_dnnl_memory_desc_t of) { return of ? dnnl_memory_desc_get_size(of) : 0; }
inline memory_desc copy_of(const_dnnl_memory_desc_t of) {
  dnnl_memory_desc_t made = nullptr;
  dnnl_memory_desc_clone(&made, of);
  return memory_desc(made);
}

// A primitive and the layouts of its arguments. Several threads may run it: each call takes a set of arguments that no
// other call uses, and leaves it to the next one.
class callable {
public:
  struct argument {
    int name;
    const_dnnl_memory_desc_t layout;
  };
  callable() = default;
  TESSERA_COLD callable(primitive_desc const& what, std::initializer_list<argument> arguments)
      : sets_(std::make_unique<free_sets>()) {
    dnnl_primitive_t made = nullptr;
    if (what && dnnl_primitive_create(&made, what.get()) == dnnl_success) run_ = primitive(made);
    for (argument const& one : arguments) {
      names_.push_back(one.name);
      layouts_.push_back(copy_of(one.layout));
    }
  }
  explicit operator bool() const { return run_ != nullptr; }
  const_dnnl_memory_desc_t layout(std::size_t argument) const { return layouts_[argument].get(); }

  // `at`: the memory of each argument. Throws std::runtime_error if the library cannot run it.
  void run(std::initializer_list<std::byte*> at) const {
    auto own = sets_->take();
    bool done = true;
    if (!own) {
      own = std::make_unique<set>();
      for (std::size_t i = 0; i < names_.size(); ++i) {
        dnnl_memory_t made = nullptr;
        done = done && dnnl_memory_create(&made, layouts_[i].get(), engine(), DNNL_MEMORY_NONE) == dnnl_success;
        own->owned.emplace_back(made);
        own->all.push_back({names_[i], made});
      }
    }
    std::size_t i = 0;
    for (std::byte* memory_of_one : at)
      done = done && dnnl_memory_set_data_handle(own->owned[i++].get(), memory_of_one) == dnnl_success;
    done = done &&
           dnnl_primitive_execute(run_.get(), stream(), static_cast<int>(own->all.size()), own->all.data()) ==
               dnnl_success &&
           dnnl_stream_wait(stream()) == dnnl_success;
    if (!done) throw std::runtime_error("tessera: oneDNN " + version() + " failed to run a primitive.");
    sets_->give_back(std::move(own));
  }

private:
  struct set {
    std::vector<memory> owned;
    std::vector<dnnl_exec_arg_t> all;
  };
  class free_sets {
  public:
    std::unique_ptr<set> take() {
      std::lock_guard const lock(mutex_);
      if (all_.empty()) return nullptr;
      auto one = std::move(all_.back());
      all_.pop_back();
      return one;
    }
    void give_back(std::unique_ptr<set> one) {
      std::lock_guard const lock(mutex_);
      all_.push_back(std::move(one));
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<set>> all_;
  };

  primitive run_;
  std::vector<int> names_;
  std::vector<memory_desc> layouts_;
  std::unique_ptr<free_sets> sets_;
};

// A copy from one layout to another: no copy where they are the same.
class relayout {
public:
  relayout() = default;
  TESSERA_COLD relayout(const_dnnl_memory_desc_t from, const_dnnl_memory_desc_t to)
      : from_(copy_of(from)), to_(copy_of(to)) {
    if (dnnl_memory_desc_equal(from, to)) return;
    dnnl_primitive_desc_t made = nullptr;
    auto const scratch = scratch_is_given();
    possible_ = dnnl_reorder_primitive_desc_create(&made, from, engine(), to, engine(), scratch.get()) == dnnl_success;
    if (!possible_) return;
    primitive_desc const what(made);
    copy_ = callable(what, {{DNNL_ARG_FROM, from},
                            {DNNL_ARG_TO, to},
                            {DNNL_ARG_SCRATCHPAD, dnnl_primitive_desc_query_md(made, dnnl_query_scratchpad_md, 0)}});
    possible_ = static_cast<bool>(copy_);
  }
  bool possible() const { return possible_; }
  bool copies() const { return static_cast<bool>(copy_); }
  const_dnnl_memory_desc_t from() const { return from_.get(); }
  const_dnnl_memory_desc_t to() const { return to_.get(); }
  std::size_t scratch_bytes() const { return copies() ? bytes_of(copy_.layout(2)) : 0; }
  void run(std::byte* from, std::byte* to, std::byte* scratch) const { copy_.run({from, to, scratch}); }

private:
  bool possible_ = true;
  memory_desc from_, to_;
  callable copy_;
};

}  // namespace tessera::detail::onednn
#endif
