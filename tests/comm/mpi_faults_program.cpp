// SPDX-License-Identifier: Apache-2.0
// A library that is loaded before MPI's: FAULT ("fail", "stop", "exit", "kill") happens at call number FAULT_CALL of FAULT_FUNCTION
// in rank FAULT_RANK. With FAULT_COUNTS=<file> each rank writes to <file>.<rank> how often it called each function.

#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include <unistd.h>

namespace {

char const* setting(char const* name) {
  char const* const text = std::getenv(name);
  return text ? text : "";
}

char const* own_rank() {
  char const* const text = setting("PMI_RANK");
  return *text ? text : setting("OMPI_COMM_WORLD_RANK");
}

struct counts {
  std::map<std::string, int> of;
  ~counts() {
    if (!*setting("FAULT_COUNTS")) return;
    std::FILE* const file = std::fopen((std::string(setting("FAULT_COUNTS")) + "." + own_rank()).c_str(), "w");
    for (auto const& [name, calls] : of) std::fprintf(file, "%s %d\n", name.c_str(), calls);
    std::fclose(file);
  }
};

// Whether this call fails.
bool fault(char const* name) {
  static auto* const calls = new std::map<std::string, int>;
  static char const* const where = setting("FAULT_FUNCTION");
  if (!*where && !*setting("FAULT_COUNTS")) return false;
  int const number = ++(*calls)[name];
  if (*setting("FAULT_COUNTS")) {
    static counts all;
    all.of[name] = number;
  }
  if (std::strcmp(where, name) != 0 || number != std::atoi(setting("FAULT_CALL")) ||
      std::strcmp(own_rank(), setting("FAULT_RANK")) != 0)
    return false;
  std::string const how = setting("FAULT");
  if (how == "stop") std::raise(SIGSTOP);
  if (how == "kill") std::raise(SIGKILL);
  if (how == "exit") ::_exit(0);  // as if all were well
  return how == "fail";
}

}  // namespace

#define FAULTED(name, taken, given)         \
  extern "C" int name taken {               \
    if (fault(#name)) return MPI_ERR_OTHER; \
    return P##name given;                   \
  }

FAULTED(MPI_Init_thread, (int* argc, char*** argv, int asked, int* got), (argc, argv, asked, got))
FAULTED(MPI_Initialized, (int* done), (done))
FAULTED(MPI_Finalized, (int* done), (done))
FAULTED(MPI_Finalize, (), ())
FAULTED(MPI_Abort, (MPI_Comm comm, int code), (comm, code))
FAULTED(MPI_Comm_idup, (MPI_Comm of, MPI_Comm* made, MPI_Request* pending), (of, made, pending))
FAULTED(MPI_Comm_rank, (MPI_Comm of, int* rank), (of, rank))
FAULTED(MPI_Comm_size, (MPI_Comm of, int* size), (of, size))
FAULTED(MPI_Comm_group, (MPI_Comm of, MPI_Group* group), (of, group))
FAULTED(MPI_Comm_free, (MPI_Comm * of), (of))
FAULTED(MPI_Comm_set_errhandler, (MPI_Comm of, MPI_Errhandler to), (of, to))
FAULTED(MPI_Comm_create_group, (MPI_Comm of, MPI_Group group, int tag, MPI_Comm* made), (of, group, tag, made))
FAULTED(MPI_Comm_create_keyval,
        (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* end, int* key, void* extra),
        (copy, end, key, extra))
FAULTED(MPI_Comm_set_attr, (MPI_Comm of, int key, void* value), (of, key, value))
FAULTED(MPI_Comm_free_keyval, (int* key), (key))
FAULTED(MPI_Group_incl, (MPI_Group of, int count, int const* ranks, MPI_Group* made), (of, count, ranks, made))
FAULTED(MPI_Group_free, (MPI_Group * of), (of))
FAULTED(MPI_Get_library_version, (char* text, int* length), (text, length))
FAULTED(MPI_Error_string, (int code, char* text, int* length), (code, text, length))
FAULTED(MPI_Op_create, (MPI_User_function * f, int commutes, MPI_Op* made), (f, commutes, made))
FAULTED(MPI_Op_free, (MPI_Op * of), (of))
FAULTED(MPI_Isend, (void const* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* pending),
        (from, n, type, to, tag, comm, pending))
FAULTED(MPI_Irecv, (void* into, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* pending),
        (into, n, type, from, tag, comm, pending))
FAULTED(MPI_Test, (MPI_Request * pending, int* done, MPI_Status* status), (pending, done, status))
FAULTED(MPI_Ibarrier, (MPI_Comm comm, MPI_Request* pending), (comm, pending))
FAULTED(MPI_Ibcast, (void* data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* pending),
        (data, n, type, root, comm, pending))
FAULTED(MPI_Iallgather,
        (void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype other, MPI_Comm comm,
         MPI_Request* pending),
        (in, n, type, out, m, other, comm, pending))
FAULTED(MPI_Ialltoall,
        (void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype other, MPI_Comm comm,
         MPI_Request* pending),
        (in, n, type, out, m, other, comm, pending))
FAULTED(MPI_Iallreduce,
        (void const* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* pending),
        (in, out, n, type, op, comm, pending))
FAULTED(MPI_Ireduce_scatter_block,
        (void const* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* pending),
        (in, out, n, type, op, comm, pending))
