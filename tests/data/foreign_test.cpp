// SPDX-License-Identifier: Apache-2.0
// Files that are written beside others of a user's, by two programs at once, and read while another program cuts them off.

#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/data.hpp>

#include "support/file_of.hpp"
#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace on_grid;
using ts::P;
using ts::shape;
using ts::testing::bytes_of_file;
using ts::testing::own_folder;
using ts::testing::write_file;
namespace fs = std::filesystem;

struct writer {
  char const* name;
  std::function<void(std::string const&)> write;
};
writer const writers[]{
    {"x.npy", [](std::string const& path) { ts::save_npy(path, ts::host<8>(std::vector<float>(8, 1))); }},
    {"x.csv", [](std::string const& path) { ts::metrics(path, {"loss"}).add(1, {0.5}); }},
    {"x.html", [](std::string const& path) { ts::run_report("x").write(path); }},
    {"x.json",
     [](std::string const& path) {
       ts::detail::start_timeline(path);
       ts::detail::stop_timeline(nullptr);
     }},
};

TEST(foreign, links_are_not_written_through) {
  for (auto const& [name, write] : writers) {
    SCOPED_TRACE(name);
    own_folder const folder;
    write_file(folder / "mine", "mine");
    auto const path = folder / name;
    fs::create_symlink("mine", path);
    EXPECT_THROW_TEXT(write(path), std::string(name) + ": is a symbolic link, to mine. Fix: the path that it names");
    EXPECT_TRUE(fs::is_symlink(path));
    fs::remove(path);
    fs::create_symlink("mine", path + ".part");
    fs::create_symlink("mine", path + ".saving-part");
    EXPECT_THROW_TEXT(write(path),
                      std::string(name) + ".saving-part: cannot be written: it is there and is not a file");
    fs::remove(path + ".saving-part");
    write(path);
    EXPECT_TRUE(fs::is_symlink(path + ".part"));
    EXPECT_EQ(bytes_of_file(folder / "mine"), "mine");
    EXPECT_FALSE(fs::is_empty(path));
    // What a killed one has left goes; who may read it stays.
    write_file(path + ".saving-part", "left");
    ::chmod(path.c_str(), 0600);
    write(path);
    EXPECT_FALSE(fs::exists(path + ".saving-part"));
    struct stat facts {};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777u, 0600u);
    EXPECT_THROW_TEXT(write("/dev/null"), "/dev/null: cannot be written: it is there and is not a file");
    EXPECT_THROW_TEXT(write(folder.path()), "is not a file");
    EXPECT_THROW_TEXT(write(path + ".saving-part"), "has a name that is kept");
    EXPECT_THROW_TEXT(write(folder / "no/x"), "/no: cannot be opened: No such file or directory");
  }
}

TEST(foreign, two_that_write_one_file) {
  for (auto const& [name, write] : writers) {
    SCOPED_TRACE(name);
    own_folder const folder;
    auto const path = folder / name, part = path + ".saving-part";
    write(path);
    auto const before = bytes_of_file(path);
    write_file(part, "another one's");
    int const held = ::open(part.c_str(), O_RDONLY);
    ASSERT_EQ(::flock(held, LOCK_EX), 0);
    EXPECT_THROW_TEXT(write(path), std::string(name) + ": cannot be written: another program is writing it");
    EXPECT_EQ(bytes_of_file(part), "another one's");
    EXPECT_EQ(bytes_of_file(path), before);
    ::close(held);
    write(path);
  }
  own_folder const folder;
  {
    ts::metrics log(folder / "run.csv", {"loss"});
    log.add(1, {1});
    EXPECT_THROW_TEXT(ts::metrics(folder / "run.csv", {"loss"}), "another program is writing it");
    log.add(2, {2});
  }
  EXPECT_EQ(bytes_of_file(folder / "run.csv"), "step,loss\n1,1\n2,2\n");
  ts::metrics(folder / "run.csv", {"loss"}, 2).add(2, {3});
  EXPECT_EQ(bytes_of_file(folder / "run.csv"), "step,loss\n1,1\n2,3\n");
}
// Each of eight programs has written it whole, or was told that another one does.
TEST(foreign, programs_that_save_one_npy) {
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "children of a program of several threads";
  own_folder const folder;
  std::vector<pid_t> started;
  for (int k = 0; k < 8; ++k) {
    started.push_back(::fork());
    if (started.back() != 0) continue;
    std::vector<float> const values(1 << 16, static_cast<float>(k));
    for (int turn = 0; turn < 10; ++turn) try {
        ts::save_npy(folder / "x.npy", ts::host<1 << 16>(values));
      } catch (ts::file_error const& error) {
        if (std::string(error.what()).find("another program") == std::string::npos) ::_exit(1);
      }
    ::_exit(0);
  }
  for (auto const child : started) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  auto const x =
      ts::load_npy<P<>, shape<1 << 16>, float>(folder / "x.npy", ts::make_mesh<grid>(ts::devices())).to_host();
  EXPECT_EQ(std::count(x.begin(), x.end(), x[0]), 1 << 16);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

// Cut off where another program writes it in place: an error, and no signal.
TEST(foreign, files_that_become_shorter) {
  own_folder const folder;
  std::vector<float> const values(1 << 16, 1);
  ts::save_npy(folder / "c.npy", ts::host<1 << 13, 8>(values));
  ts::save_npy(folder / "f.npy", ts::host<1 << 13, 8>(values), ts::npy_order::fortran);
  std::string csv;
  for (int i = 0; i < 1 << 16; ++i) csv += "1,2\n";
  write_file(folder / "x.csv", csv);
  write_file(folder / "x.bin", std::string(1 << 18, '\1'));
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::npy_file const c(folder / "c.npy"), f(folder / "f.npy");
  ts::csv_file const table(folder / "x.csv");
  ts::mapped_file const mapped(folder / "x.csv");
  auto const c_rows = c.rows<float>(), f_rows = f.rows<float>(), columns = table.columns<float>({.count = 2});
  auto const runs = ts::token_file(folder / "x.bin").sequences({.length = 16});
  for (auto const* name : {"c.npy", "f.npy", "x.csv", "x.bin"}) ASSERT_EQ(::truncate((folder / name).c_str(), 100), 0);
  std::vector<std::byte> out(1 << 20);
  ts::region const eight{{0, 8}}, two{{0, 2}}, sixteen{{0, 16}}, all{{0, 1 << 13}, {0, 8}}, half{{0, 1 << 13}, {0, 4}};
  char const* const shorter = "became shorter while it was read";
  EXPECT_THROW_TEXT(c_rows.source().read(8000, eight, out.data()), shorter);
  EXPECT_THROW_TEXT(f_rows.source().read(8000, eight, out.data()), shorter);
  EXPECT_THROW_TEXT(columns.source().read(60000, two, out.data()), shorter);
  EXPECT_THROW_TEXT(runs.source().read(8000, sixteen, out.data()), shorter);
  EXPECT_THROW_TEXT(c.read(all, out.data()), shorter);
  EXPECT_THROW_TEXT(c.read(half, out.data()), shorter);
  EXPECT_THROW_TEXT(f.read(all, out.data()), shorter);
  EXPECT_THROW_TEXT(table.columns<float>({.count = 2}), shorter);
  EXPECT_THROW_TEXT(ts::csv_file(mapped), shorter);
  EXPECT_THROW_TEXT((ts::load_npy<P<dp>, shape<1 << 13, 8>, float>(folder / "c.npy", mesh)), "longer than the file");
}

}  // namespace
