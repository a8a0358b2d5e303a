// SPDX-License-Identifier: Apache-2.0
// Folders with more in them than checkpoints: what save has not made stays as it is, whatever its name, and links are not
// followed.

#include <tessera/checkpoint.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace on_grid;
using ts::testing::bytes_of_file;
using ts::testing::own_folder;
using ts::testing::write_file;
namespace fs = std::filesystem;

auto filled(float value) { return ts::device_put(ts::host<64>(std::vector<float>(64, value))); }
void expect_all(std::string const& path, float value) {
  auto const host = ts::restore(path, filled(0)).to_host();
  EXPECT_EQ(std::count(host.begin(), host.end(), value), 64) << path;
}
void save(std::string const& path, float value, bool may_exchange = true) {
  ts::detail::end_save(*ts::detail::begin_save(ts::detail::leaves_of(filled(value)),
                                               {.path = path, .may_exchange = may_exchange}, false));
}
// Every name below, and what files hold or links name.
std::map<std::string, std::string> all_in(std::string const& path) {
  std::map<std::string, std::string> found;
  for (auto const& entry : fs::recursive_directory_iterator(path))
    found[entry.path().string().substr(path.size() + 1)] = entry.is_symlink()
                                                               ? "-> " + fs::read_symlink(entry.path()).string()
                                                           : entry.is_directory() ? "/"
                                                                                  : bytes_of_file(entry.path());
  return found;
}
void expect_same(std::map<std::string, std::string> const& before, std::map<std::string, std::string> const& after) {
  for (auto const& [name, text] : before) {
    auto const at = after.find(name);
    ASSERT_NE(at, after.end()) << name << " is gone";
    EXPECT_EQ(at->second, text) << name;
  }
}
std::string const number = "0123456789abcdef";

// A link, names that look like ours, and names like ours of something else.
void plant(own_folder const& folder, std::string const& in, std::string const& name) {
  fs::create_directories(folder / "elsewhere/deep");
  write_file(folder / "elsewhere/index.json", "mine");
  write_file(folder / "elsewhere/arrays-00000-of-00001.safetensors", "mine");
  write_file(folder / "elsewhere/deep/letter", "mine");
  auto const at = in + "/" + name;
  for (auto const& end :
       std::vector<std::string>{".saving-x", ".saving-" + number, ".saving-0123456789abcdeF", ".saving-removed"})
    fs::create_symlink(folder / "elsewhere", at + end);
  for (auto const& like : std::vector<std::string>{"diary.saving-2024", "diary.saving-" + number, name + ".saving-0123",
                                                   name + "2.saving-" + number, name + ".saving-" + number + "0",
                                                   "x" + name + ".saving-" + number}) {
    fs::create_directories(in + "/" + like);
    write_file(in + "/" + like + "/index.json", "mine");
  }
  // Ours by its name, and not by what is in it.
  int count = 1;
  for (auto const* file : {"notes.txt", "arrays-0-of-1.safetensors", "part-x.json", "index.json.early"}) {
    auto const ours = at + ".saving-" + std::to_string(count++) + number.substr(1);
    fs::create_directories(ours);
    write_file(ours + "/index.json", "mine");
    write_file(ours + "/" + file, "mine");
  }
  fs::create_directories(at + ".saving-a" + number.substr(1) + "/index.json");
  fs::create_directories(at + ".saving-b" + number.substr(1));
  fs::create_symlink(folder / "elsewhere/index.json", at + ".saving-b" + number.substr(1) + "/index.json");
  write_file(at + ".saving-c" + number.substr(1), "a file");
}

TEST(Foreign, NamesBesideACheckpoint) {
  for (bool const exchange : {true, false}) {
    own_folder const folder;
    fs::create_directory(folder / "in");
    plant(folder, folder / "in", "m");
    auto const before = all_in(folder.path());
    save(folder / "in/m", 1, exchange);
    save(folder / "in/m", 2, exchange);
    expect_all(folder / "in/m", 2);
    auto after = all_in(folder.path());
    expect_same(before, after);
    EXPECT_EQ(after.size(), before.size() + 3) << "the folder and its two files";
    // What a killed save has left goes.
    auto const left = folder / ("in/m.saving-f" + number.substr(1));
    fs::create_directory(left);
    for (auto const& file : {"index.json", "arrays-00001-of-00002.safetensors", "part-1.json", "failed-0.json.early"})
      write_file(left + "/" + file, "left");
    save(folder / "in/m", 3, exchange);
    EXPECT_FALSE(fs::exists(left));
    expect_all(folder / "in/m", 3);
    expect_same(before, all_in(folder.path()));
  }
}
TEST(Foreign, NamesBesideNumberedCheckpoints) {
  own_folder const folder;
  fs::create_directory(folder / "run");
  plant(folder, folder / "run", "step-000000000007");
  fs::create_symlink(folder / "elsewhere", folder / "run/step-000000000001");
  fs::create_directory(folder / "run/step-2");
  write_file(folder / "run/step-2/index.json", "mine");
  auto const before = all_in(folder.path());
  ts::checkpoints saved(folder / "run", 1);
  for (int step = 5; step < 9; ++step) saved.save(step, filled(static_cast<float>(step)));
  expect_same(before, all_in(folder.path()));
  expect_all(saved.path(8), 8);
  EXPECT_EQ(saved.steps(), (std::vector<std::int64_t>{1, 8})) << "a link is read, and stays";
  // One that someone has put a file into stays, too.
  write_file(saved.path(8) + "/notes.txt", "mine");
  saved.save(9, filled(9));
  EXPECT_EQ(bytes_of_file(saved.path(8) + "/notes.txt"), "mine");
  EXPECT_THROW_TEXT(saved.remove_after(7), "has other files: notes.txt");
  expect_all(saved.path(9), 9);
  std::remove((saved.path(8) + "/notes.txt").c_str());
  saved.remove_after(7);
  EXPECT_EQ(saved.steps(), (std::vector<std::int64_t>{1}));
  EXPECT_THROW_TEXT(saved.remove_after(0), "it is a link");
  expect_same(before, all_in(folder.path()));
}
TEST(Foreign, ALinkAtThePathIsRefused) {
  own_folder const folder;
  save(folder / "real", 1);
  fs::create_symlink("real", folder / "m");
  fs::create_symlink("nothing", folder / "dangling");
  fs::create_symlink(folder.path(), folder / "here");
  auto const before = all_in(folder / "real");
  EXPECT_THROW_TEXT(save(folder / "m", 2), "/m: is a symbolic link, to real. Fix: the path that it names");
  EXPECT_THROW_TEXT(save(folder / "dangling", 2), "is a symbolic link");
  EXPECT_THROW_TEXT(save(folder / "m/", 2), "is a symbolic link");
  expect_all(folder / "m", 1);
  EXPECT_EQ(all_in(folder / "real"), before);
  save(folder / "here/real", 3);  // a link on the way is what the user says
  expect_all(folder / "m", 3);
  for (auto const* name : {".", "..", ""})
    EXPECT_THROW_TEXT(save(folder / "real/" + std::string(name) + (*name ? "" : "."), 1), "is no name of its own");
  EXPECT_THROW_TEXT(save("", 1), "is no name of its own");
  for (auto const& name : {"x.saving-" + number, std::string("x.saving-former"), std::string("x.saving-part")})
    EXPECT_THROW_TEXT(save(folder / name, 1), "has a name that is kept");
}
// A folder that has become another's while a save went on, and what killed programs have left of two renames.
TEST(Foreign, FormerOnes) {
  own_folder const folder;
  fs::create_directory(folder / "m.former");
  write_file(folder / "m.former/index.json", "mine");
  fs::create_directory(folder / "m.saving-former");
  write_file(folder / "m.saving-former/diary", "mine");
  auto const before = all_in(folder.path());
  save(folder / "m", 1, false);
  EXPECT_THROW_TEXT(save(folder / "m", 2, false), "cannot be put in place");
  expect_all(folder / "m", 1);
  save(folder / "m", 2);
  expect_all(folder / "m", 2);
  expect_same(before, all_in(folder.path()));
  EXPECT_EQ(fs::exists(folder / "m.former"), true);
}
TEST(Foreign, TwoSavesOfOnePath) {
  own_folder const folder;
  auto const x = filled(1);
  // Of one program, the second waits.
  for (float turn = 0; turn < 5; ++turn) {
    auto first = ts::save_async(folder / "m", filled(turn)), second = ts::save_async(folder / "m", filled(turn + 1));
    second.wait();
    expect_all(folder / "m", turn + 1);
    first.wait();
  }
  // Of another one: its folder has its lock.
  auto const other = folder / ("m.saving-" + number);
  fs::create_directory(other);
  int const held = ::open(other.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  EXPECT_THROW_TEXT(save(folder / "m", 9), "/m: is being saved by another program, in m.saving-" + number);
  EXPECT_TRUE(fs::exists(other));
  expect_all(folder / "m", 5);
  ::close(held);
  save(folder / "m", 9);
  EXPECT_FALSE(fs::exists(other));
  expect_all(folder / "m", 9);
}

}  // namespace
