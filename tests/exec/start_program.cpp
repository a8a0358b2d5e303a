// SPDX-License-Identifier: Apache-2.0
// start_program <what>: starts a runtime; "again": one more after it ended; "never", "after": makes an array without one; "put",
// "result", "temporaries": wants more memory than the process may have. Prints what it is told. start.py asks for it with all
// kinds of settings.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace ts = tessera;

namespace {

// From here on this process may have 2 GiB.
void limit_memory() {
  rlimit const most{rlim_t{2} << 30, rlim_t{2} << 30};
  ::setrlimit(RLIMIT_AS, &most);
}

void run(std::string const& what, int argc, char** argv) {
  if (what != "never") ts::runtime const runtime{argc, argv};
  if (what == "never" || what == "after") (void)ts::asarray({1.0f, 2.0f});
  if (what == "again") ts::runtime const runtime{argc, argv};
}

void want_memory(std::string const& what, int argc, char** argv) {
  ts::runtime const runtime{argc, argv, 1};
  auto const small = ts::device_put(ts::host<1 << 16, 1>(std::vector<float>(1 << 16, 1)));
  limit_memory();
  if (what == "result") (void)ts::jit([](auto x) { return ts::broadcast_to<1 << 16, 1 << 14>(x) + 1; })(small);
  if (what == "temporaries")
    (void)ts::jit([](auto x) { return ts::sum(ts::sort<0>(ts::broadcast_to<1 << 16, 1 << 14>(x) + 1)); })(small);
}

}  // namespace

int main(int argc, char** argv) {
  std::string const what = argc > 1 ? argv[1] : "";
  try {
    if (what == "result" || what == "temporaries")
      want_memory(what, argc, argv);
    else
      run(what, argc, argv);
    std::printf("well\n");
  } catch (std::exception const& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
