// SPDX-License-Identifier: Apache-2.0
#pragma once
// The execution state of the process: starts and stops Kokkos, joins the processes of the run, sets how many devices
// are simulated. Source: JAX jax.devices, jax.process_index, jax.distributed.initialize.

#include <tessera/exec/device/device.hpp>
#include <tessera/exec/device/platform.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace tessera {

// The devices of this process: its share of TESSERA_DEVICES, which counts the devices of all processes; 8 if it is not
// set.
std::vector<device> const& local_devices();

// The first device of this process: where arrays without a mesh are placed by default.
inline device const& default_device() { return local_devices().front(); }
inline int local_device_count() { return static_cast<int>(local_devices().size()); }
// The number of processes in the run, and the index of this one. One process unless a runtime has joined several.
int process_count();
int process_index();
inline std::string_view default_backend() { return platform_name; }
// The devices of all processes on one platform: devices("cpu"), devices("gpu"). Throws if this build runs on another
// platform.
std::vector<device> const& devices(std::string_view platform = platform_name);
inline int device_count() { return static_cast<int>(devices().size()); }

class channel;  // comm/channel/channel.hpp

namespace detail {
// Throws if this process cannot have a runtime: a setting of the environment is wrong, or it already had one.
void check_start(int argc, char const* const* argv);
// Null if this process is alone.
#ifdef TESSERA_MPI
std::shared_ptr<channel> processes_of_run(int& argc, char** argv);  // comm/mpi.hpp
#else
inline std::shared_ptr<channel> processes_of_run(int&, char**) { return nullptr; }
#endif
// The arguments of a main that takes none.
struct no_arguments {
  char name[8] = "program";
  char* list[2]{name, nullptr};
  char** values = list;
  int count = 1;
};
}  // namespace detail

// Created once, at the start of main: Kokkos cannot be restarted, and a second runtime throws std::logic_error. An
// invalid setting of the environment (docs/settings.md) throws std::invalid_argument before any other process is waited
// for. If the program is linked to tessera::mpi and started by mpiexec or srun, the runtime joins the processes of the
// run. If Kokkos already runs, it is used and left running.
class runtime {
public:
  runtime(int& argc, char** argv) : runtime(argc, argv, 0) {}
  // Of a main without arguments: settings come from the environment alone.
  runtime() : runtime(0) {}
  explicit runtime(int device_count) : runtime(detail::no_arguments{}, device_count) {}
  // device_count: the devices of all processes together; 0: TESSERA_DEVICES, or 8. Throws if it is no multiple of the
  // process count.
  runtime(int& argc, char** argv, int device_count)
      : runtime(argc, argv, (detail::check_start(argc, argv), detail::processes_of_run(argc, argv)), device_count) {}
  // With the processes of the channel `processes` (comm/mpi.hpp: those of an MPI_Comm).
  runtime(int& argc, char** argv, std::shared_ptr<channel> processes, int device_count = 0);
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  ~runtime();

  // The devices of all processes.
  std::vector<device> const& devices() const { return tessera::devices(); }

private:
  runtime(detail::no_arguments&& none, int device_count) : runtime(none.count, none.values, device_count) {}

  bool owns_kokkos_;
  bool joined_;
};

}  // namespace tessera

#ifdef TESSERA_MPI
#include <tessera/comm/mpi.hpp>
#endif
