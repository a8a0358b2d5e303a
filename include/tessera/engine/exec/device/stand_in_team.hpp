// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads of a team on the stand-in card, each with its own stack, run on one host thread.

#include <tessera/exec/device/stand_in.hpp>

#if defined(TESSERA_STAND_IN)

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <sys/mman.h>

namespace tessera::detail::stand_in {

// A launch in the queue.
struct queued {
  std::string label;
  std::vector<std::max_align_t> kernel;
  std::int64_t count = 0;
  int threads = 0;  // threads per team; 0: a launch over elements
  std::size_t scratch = 0;
  element_function element = nullptr;
  team_function team = nullptr;
};

// Saves this stack's state in *from, and continues the stack that was saved as `to`.
#if defined(__x86_64__)
__attribute__((naked, noinline)) inline void switch_stacks(void** /*from*/, void* /*to*/) {
  asm("pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
      "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
      "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret");
}
// The saved top of a new stack, whose execution starts with `enter`.
inline void* first_frame(void* stack, std::size_t bytes, void (*enter)()) {
  auto* const top = reinterpret_cast<void**>(static_cast<std::byte*>(stack) + bytes) - 16;  // 16-byte aligned
  void** at = top - 2;                   // the return address of a caller would be above
  *at = reinterpret_cast<void*>(enter);  // the target of `ret`
  for (int k = 0; k < 6; ++k) *--at = nullptr;
  return at;
}
#else
#error "tessera: the stand-in switches stacks on x86-64 only."
#endif

// The threads of one team, one after the other; only one runs at a time.
class fibers {
public:
  static fibers& the() {
    static fibers* const made = new fibers;
    return *made;
  }
  void run(queued const& launch, std::int64_t team, bool backwards, std::byte* scratch) {
    fit(launch.threads);
    for (int t = 0; t < launch.threads; ++t) {
      thread& one = *threads_[t];
      one.seen = {};
      one.seen.team = static_cast<int>(team);
      one.seen.rank = t;
      one.seen.scratch = scratch;
      one.launch = &launch;
      one.over = one.waits = false;
      one.at = first_frame(one.stack, stack_bytes, &enter);
    }
    for (bool again = true; again;) {
      int waiting = 0, over = 0;
      for (int k = 0; k < launch.threads; ++k) {
        current_ = threads_[backwards ? launch.threads - 1 - k : k].get();
        current_->waits = false;
        switch_stacks(&main_, current_->at);
        waiting += current_->waits;
        over += current_->over;
      }
      if (waiting > 0 && over > 0) die(launch.label, waiting, over);
      again = waiting > 0;
    }
    current_ = nullptr;
  }
  // The barrier of the running thread: returns when all threads have reached it.
  void wait() {
    current_->waits = true;
    switch_stacks(&current_->at, main_);
  }

private:
  static constexpr std::size_t stack_bytes = 128 * 1024;
  struct thread {
    void *stack = nullptr, *at = nullptr;
    team_thread seen;
    queued const* launch = nullptr;
    bool over = false, waits = false;
  };
  // The entry function of each thread. It never returns; after its last switch it is not resumed.
  static void enter() {
    fibers& own = the();
    thread& self = *own.current_;
    self.launch->team(self.launch->kernel.data(), self.seen);
    self.over = true;
    switch_stacks(&self.at, own.main_);
  }
  [[noreturn]] static void die(std::string const& label, int waiting, int over) {
    std::fprintf(
        stderr,
        "tessera: kernel '%s': %d threads of a team wait at a barrier, and %d have ended. Fix: all threads of a "
        "team reach every barrier.\n",
        label.c_str(), waiting, over);
    std::abort();
  }
  void fit(int count) {
    while (static_cast<int>(threads_.size()) < count) {
      auto made = std::make_unique<thread>();
      made->stack =
          mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (made->stack == MAP_FAILED) throw std::bad_alloc();
      threads_.push_back(std::move(made));
    }
  }
  std::vector<std::unique_ptr<thread>> threads_;
  thread* current_ = nullptr;
  void* main_ = nullptr;
};

}  // namespace tessera::detail::stand_in

#endif
