// SPDX-License-Identifier: Apache-2.0
// A library between a program and the C library: what support/faults.hpp asks for happens at the n-th call that the program
// makes to files. fsync, fdatasync and msync only count: no test here turns the power off.

#include "support/faults.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> calls{0}, place{0};
std::atomic<bool> armed{false};
std::atomic<fault> what{fault::none};
std::atomic<int> reason{0};
std::atomic<char const*> name_of_call{""};

// Whether this call fails.
bool fails(char const* name) {
  if (!armed) return false;
  long const n = ++calls;
  if (n != place && !(n > place && what == fault::from_here_on)) return false;
  if (n == place) name_of_call = name;
  switch (what.load()) {
    case fault::killed: ::kill(::getpid(), SIGKILL); break;
    case fault::stopped: ::kill(::getpid(), SIGSTOP); break;
    case fault::once:
    case fault::from_here_on: errno = reason; return true;
    case fault::none:
    case fault::halves: break;
  }
  return false;
}
std::size_t some_of(std::size_t bytes) { return armed && what == fault::halves && bytes > 1 ? bytes / 2 : bytes; }

template <class F>
F* next(F*, char const* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}
#define NEXT(function)                                    \
  static auto* const real = next(&::function, #function); \
  if (fails(#function))

int mode_in(int flags, va_list list) { return (flags & O_CREAT) != 0 ? va_arg(list, int) : 0; }

}  // namespace

void faults_begin(fault kind, long at, int error) {
  calls = 0;
  place = at;
  what = kind;
  reason = error;
  name_of_call = "";
  armed = true;
}
long faults_end() {
  armed = false;
  return calls;
}
char const* faulted_call() { return name_of_call; }

extern "C" {

int open(char const* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int const mode = mode_in(flags, list);
  va_end(list);
  NEXT(open) return -1;
  return real(path, flags, mode);
}
int openat(int folder, char const* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int const mode = mode_in(flags, list);
  va_end(list);
  NEXT(openat) return -1;
  return real(folder, path, flags, mode);
}
int close(int file) {
  NEXT(close) {
    int const error = errno;
    real(file);
    errno = error;
    return -1;
  }
  return real(file);
}
ssize_t pread(int file, void* data, std::size_t bytes, off_t at) {
  NEXT(pread) return -1;
  return real(file, data, some_of(bytes), at);
}
ssize_t pwrite(int file, void const* data, std::size_t bytes, off_t at) {
  NEXT(pwrite) return -1;
  return real(file, data, some_of(bytes), at);
}
ssize_t read(int file, void* data, std::size_t bytes) {
  NEXT(read) return -1;
  return real(file, data, bytes);
}
ssize_t write(int file, void const* data, std::size_t bytes) {
  NEXT(write) return -1;
  return real(file, data, bytes);
}
int fsync(int) {
  if (fails("fsync")) return -1;
  return 0;
}
int fdatasync(int) {
  if (fails("fdatasync")) return -1;
  return 0;
}
int msync(void*, std::size_t, int) {
  if (fails("msync")) return -1;
  return 0;
}
int sync_file_range(int, off64_t, off64_t, unsigned) { return 0; }
int rename(char const* from, char const* to) noexcept {
  NEXT(rename) return -1;
  return real(from, to);
}
int renameat(int in, char const* from, int folder, char const* to) noexcept {
  NEXT(renameat) return -1;
  return real(in, from, folder, to);
}
int renameat2(int in, char const* from, int folder, char const* to, unsigned flags) noexcept {
  NEXT(renameat2) return -1;
  return real(in, from, folder, to, flags);
}
int unlink(char const* path) noexcept {
  NEXT(unlink) return -1;
  return real(path);
}
int unlinkat(int folder, char const* path, int flags) noexcept {
  NEXT(unlinkat) return -1;
  return real(folder, path, flags);
}
int rmdir(char const* path) noexcept {
  NEXT(rmdir) return -1;
  return real(path);
}
int mkdir(char const* path, mode_t mode) noexcept {
  NEXT(mkdir) return -1;
  return real(path, mode);
}
int mkdirat(int folder, char const* path, mode_t mode) noexcept {
  NEXT(mkdirat) return -1;
  return real(folder, path, mode);
}
int ftruncate(int file, off_t size) noexcept {
  NEXT(ftruncate) return -1;
  return real(file, size);
}
int posix_fallocate(int file, off_t at, off_t bytes) {
  NEXT(posix_fallocate) return errno;
  return real(file, at, bytes);
}
int flock(int file, int how) noexcept {
  NEXT(flock) return -1;
  return real(file, how);
}
int fchmod(int file, mode_t mode) noexcept {
  NEXT(fchmod) return -1;
  return real(file, mode);
}
int stat(char const* path, struct stat* facts) noexcept {
  static auto* const real = next(static_cast<int (*)(char const*, struct stat*)>(&::stat), "stat");
  if (fails("stat")) return -1;
  return real(path, facts);
}
int fstat(int file, struct stat* facts) noexcept {
  NEXT(fstat) return -1;
  return real(file, facts);
}
int fstatat(int folder, char const* path, struct stat* facts, int flags) noexcept {
  NEXT(fstatat) return -1;
  return real(folder, path, facts, flags);
}
DIR* fdopendir(int folder) {
  NEXT(fdopendir) return nullptr;
  return real(folder);
}
struct dirent* readdir(DIR* folder) {
  NEXT(readdir) return nullptr;
  return real(folder);
}
void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t from) noexcept {
  static auto* const real = next(&::mmap, "mmap");
  if (file >= 0 && fails("mmap")) return MAP_FAILED;
  return real(at, bytes, protection, flags, file, from);
}

}  // extern "C"
