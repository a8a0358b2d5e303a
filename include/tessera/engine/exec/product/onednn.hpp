// SPDX-License-Identifier: Apache-2.0
#pragma once
// oneDNN's C interface behind types that release what they hold. The build defines TESSERA_ONEDNN if it has the library
// (cmake/find_onednn.cmake). Primitives are made for one thread: the tiles of a launch call them.

#if defined(TESSERA_ONEDNN)
#include <oneapi/dnnl/dnnl.h>

#include <tessera/aval/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
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
inline primitive made_from(primitive_desc const& what) {
  dnnl_primitive_t made = nullptr;
  if (!what || dnnl_primitive_create(&made, what.get()) != dnnl_success) return {};
  return primitive(made);
}

// A copy from one layout to another: no copy where they are the same.
class relayout {
public:
  relayout() = default;
  relayout(const_dnnl_memory_desc_t from, const_dnnl_memory_desc_t to) : from_(copy_of(from)), to_(copy_of(to)) {
    if (dnnl_memory_desc_equal(from, to)) return;
    dnnl_primitive_desc_t what = nullptr;
    auto const scratch = scratch_is_given();
    if (dnnl_reorder_primitive_desc_create(&what, from, engine(), to, engine(), scratch.get()) == dnnl_success) {
      primitive_desc const own(what);
      scratch_ = copy_of(dnnl_primitive_desc_query_md(what, dnnl_query_scratchpad_md, 0));
      copy_ = made_from(own);
    }
    possible_ = copy_ != nullptr;
  }
  bool possible() const { return possible_; }
  bool copies() const { return copy_ != nullptr; }
  const_dnnl_memory_desc_t from() const { return from_.get(); }
  const_dnnl_memory_desc_t to() const { return to_.get(); }
  const_dnnl_memory_desc_t scratch() const { return scratch_.get(); }
  dnnl_primitive_t get() const { return copy_.get(); }
  std::size_t scratch_bytes() const { return bytes_of(scratch_.get()); }

private:
  bool possible_ = true;
  memory_desc from_, to_, scratch_;
  primitive copy_;
};

struct argument {
  int name;
  const_dnnl_memory_desc_t layout;
  void* at;
};
// Throws if the library cannot run it.
template <std::size_t N>
void execute(dnnl_primitive_t what, argument const (&given)[N]) {
  memory owned[N];
  dnnl_exec_arg_t all[N];
  bool done = what != nullptr;
  for (std::size_t i = 0; i < N; ++i) {
    dnnl_memory_t made = nullptr;
    done = done && dnnl_memory_create(&made, given[i].layout, engine(), given[i].at) == dnnl_success;
    owned[i] = memory(made);
    all[i] = {given[i].name, made};
  }
  done = done && dnnl_primitive_execute(what, stream(), static_cast<int>(N), all) == dnnl_success &&
         dnnl_stream_wait(stream()) == dnnl_success;
  if (!done) throw std::runtime_error("tessera: oneDNN " + version() + " failed to run a convolution.");
}

}  // namespace tessera::detail::onednn
#endif
