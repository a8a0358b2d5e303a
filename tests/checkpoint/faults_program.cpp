// SPDX-License-Identifier: Apache-2.0
// Everything that writes or reads files, with a fault at each call that it makes to them (support/faults.hpp): what was there
// is whole afterwards, or what should come is; an error says which path and why; nothing else has changed; nothing waits for
// ever; and the next call works and leaves no more than it should. At night with more errors.

#include <tessera/checkpoint.hpp>
#include <tessera/comm/threads/threads.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/data.hpp>

#include "support/faults.hpp"
#include "support/on_grid.hpp"
#include "support/own_folder.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace on_grid;
using ts::P;
using ts::testing::bytes_of_file;
using ts::testing::own_folder;
using ts::testing::write_file;
namespace fs = std::filesystem;

// What is done, and how it is seen that it was.
struct action {
  std::function<void(std::string const&)> prepare;  // the old state
  std::function<void(std::string const&)> act;
  // 1: all is as before, 2: as it should be after. Throws, or 0: neither.
  std::function<int(std::string const&)> state;
  bool writes = true;  // in a child, too
};

// Folders of these tests are in memory where there is such a file system: what a fault does is the same there.
class in_memory : public ::testing::Environment {
public:
  void SetUp() override {
    char name[] = "/dev/shm/faults-XXXXXX";
    if (!::mkdtemp(name)) return;
    path_ = name;
    ::setenv("TMPDIR", name, 1);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

private:
  std::string path_;
};
auto* const memory = ::testing::AddGlobalTestEnvironment(new in_memory);

// Names below a folder.
std::set<std::string> names_in(std::string const& path) {
  std::set<std::string> names;
  for (auto const& entry : fs::recursive_directory_iterator(path))
    names.insert(entry.path().string().substr(path.size() + 1));
  return names;
}
// A user's files, with names that look like ours.
char const* const mine[]{"diary.saving-2024/letter", "m.saving-x/index.json", "m.saving-0123456789abcdef/letter",
                         "x.npy.part", "letter"};
void plant(std::string const& path) {
  for (std::string const name : mine) {
    fs::create_directories(fs::path(path + "/" + name).parent_path());
    write_file(path + "/" + name, "mine");
  }
}

class sweep {
public:
  explicit sweep(action a) : action_(std::move(a)) {
    own_folder const folder;
    begin(folder);
    action_.act(folder.path());
    EXPECT_EQ(action_.state(folder.path()), 2);
    after_ = names_in(folder.path());
    own_folder const counted;
    begin(counted);
    faults_begin(fault::none, 0, 0);
    action_.act(counted.path());
    calls_ = faults_end();
    EXPECT_GT(calls_, 3) << "the library of faults is not in between";
  }
  void run() {
    bool const night = std::getenv("TESSERA_NIGHTLY") != nullptr;
    std::vector<int> const errors{EIO, ENOSPC, EACCES, EMFILE};
    for (long n = 1; n <= calls_ && !::testing::Test::HasFailure(); ++n) {
      for (std::size_t e = 0; e < errors.size(); ++e)
        if (night || (static_cast<std::size_t>(n) + e) % 4 == 0) {
          fail(fault::once, n, errors[e]);
          fail(fault::from_here_on, n, errors[e]);
        }
      if (!action_.writes || TESSERA_THREAD_SANITIZER) continue;
      kill(n);
      stop(n);
      remove(n);
    }
    own_folder const folder;
    begin(folder);
    faults_begin(fault::halves, 0, 0);
    action_.act(folder.path());
    faults_end();
    EXPECT_EQ(action_.state(folder.path()), 2);
  }

private:
  void begin(own_folder const& folder) const {
    plant(folder.path());
    action_.prepare(folder.path());
  }
  // Nothing of the user's has changed, and what was there is whole, or what should be.
  int whole(own_folder const& folder) const {
    for (std::string const name : mine) EXPECT_EQ(bytes_of_file(folder / name), "mine") << name;
    int state = 0;
    try {
      state = action_.state(folder.path());
    } catch (std::exception const& error) {
      ADD_FAILURE() << error.what();
    }
    EXPECT_NE(state, 0);
    return state;
  }
  // The next one works, and nothing is left.
  void again(own_folder const& folder) const {
    ::alarm(60);
    try {
      action_.act(folder.path());
    } catch (std::exception const& error) {
      ADD_FAILURE() << "the next one: " << error.what();
    }
    ::alarm(0);
    EXPECT_EQ(whole(folder), 2);
    EXPECT_EQ(names_in(folder.path()), after_);
  }
  void fail(fault kind, long n, int error) const {
    own_folder const folder;
    begin(folder);
    std::string said;
    ::alarm(60);
    faults_begin(kind, n, error);
    try {
      action_.act(folder.path());
    } catch (std::exception const& thrown) {
      said = thrown.what();
      if (said.empty()) said = "nothing";
    }
    faults_end();
    ::alarm(0);
    std::string const trace =
        std::string(faulted_call()) + ", call " + std::to_string(n) + " of " + std::to_string(calls_) +
        (kind == fault::once ? ", fails: " : " and all after it fail: ") + std::strerror(error) + "\nsaid: " + said;
    SCOPED_TRACE(trace);
    int const state = whole(folder);
    if (said.empty()) {
      EXPECT_EQ(state, 2) << "no error, and not done";
    } else {
      EXPECT_NE(said.find(std::strerror(error)), std::string::npos) << "the cause";
      EXPECT_NE(said.find(folder.path()), std::string::npos) << "the path";
    }
    again(folder);
  }
  // The action in a process of its own, with a fault; the process.
  pid_t child(own_folder const& folder, fault kind, long n) const {
    auto const started = ::fork();
    if (started != 0) return started;
    ::alarm(60);
    faults_begin(kind, n, 0);
    try {
      action_.act(folder.path());
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  void kill(long n) const {
    own_folder const folder;
    begin(folder);
    SCOPED_TRACE("killed at call " + std::to_string(n) + " of " + std::to_string(calls_));
    auto const started = child(folder, fault::killed, n);
    int status = 0;
    ::waitpid(started, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    whole(folder);
    again(folder);
  }
  // While one program has stopped, another one does the same: it may, or is told that it may not.
  void stop(long n) const {
    own_folder const folder;
    begin(folder);
    SCOPED_TRACE("stopped at call " + std::to_string(n) + " of " + std::to_string(calls_));
    auto const started = child(folder, fault::stopped, n);
    int status = 0;
    ::waitpid(started, &status, WUNTRACED);
    EXPECT_TRUE(WIFSTOPPED(status)) << status;
    whole(folder);
    std::string said;
    ::alarm(60);
    try {
      action_.act(folder.path());
    } catch (std::exception const& error) {
      said = error.what();
    }
    ::alarm(0);
    int const state = whole(folder);
    if (said.empty())
      EXPECT_EQ(state, 2);
    else
      EXPECT_NE(said.find("another program"), std::string::npos) << said;
    ::kill(started, SIGCONT);
    ::waitpid(started, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(whole(folder), 2);
    again(folder);
  }

  // While it has stopped, all goes that is not the user's, and the user's files are where it may have written.
  void remove(long n) const {
    own_folder const folder;
    begin(folder);
    SCOPED_TRACE("stopped at call " + std::to_string(n) + " of " + std::to_string(calls_) + ", all is removed");
    auto const started = child(folder, fault::stopped, n);
    int status = 0;
    ::waitpid(started, &status, WUNTRACED);
    std::set<std::string> first;
    for (auto const& entry : fs::directory_iterator(folder.path())) first.insert(entry.path().filename().string());
    own_folder const users;
    plant(users.path());
    for (std::string const name : mine) first.erase(name.substr(0, name.find('/')));
    for (auto const& name : first) {
      fs::remove_all(folder / name);
      if (name != "new") fs::create_symlink(users.path(), folder / name);  // links on the way count
    }
    auto const before = names_in(users.path());
    ::kill(started, SIGCONT);
    ::waitpid(started, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(names_in(users.path()), before);
    for (std::string const name : mine) {
      EXPECT_EQ(bytes_of_file(folder / name), "mine") << name;
      EXPECT_EQ(bytes_of_file(users / name), "mine") << name;
    }
  }

  action action_;
  std::set<std::string> after_;
  long calls_ = 0;
};

// Checkpoints.

auto filled(float value) {
  std::vector<float> values(64, value);
  return std::tuple{ts::device_put(ts::host<64>(values)), static_cast<int>(value)};
}
using state_type = decltype(filled(0));
state_type const& one() {
  static auto const made = filled(1);
  return made;
}
state_type const& two() {
  static auto const made = filled(2);
  return made;
}
int value_at(std::string const& path) {
  auto const [x, value] = ts::restore(path, one());
  for (float v : x.to_host())
    if (v != static_cast<float>(value)) return 0;
  return value;
}
void save(std::string const& path, state_type const& state, bool may_exchange = true, bool on_a_thread = false) {
  ts::detail::end_save(
      *ts::detail::begin_save(ts::detail::leaves_of(state), {.path = path, .may_exchange = may_exchange}, on_a_thread));
}
action saved(bool may_exchange, bool on_a_thread) {
  static_cast<void>(two());  // before any child
  return {[](std::string const& in) { save(in + "/m", one()); },
          [=](std::string const& in) { save(in + "/m", two(), may_exchange, on_a_thread); },
          [](std::string const& in) { return value_at(in + "/m"); }};
}
TEST(Faults, Save) { sweep(saved(true, false)).run(); }
TEST(Faults, SaveByTwoRenames) { sweep(saved(false, false)).run(); }
TEST(Faults, SaveOnAThread) { sweep(saved(true, true)).run(); }
TEST(Faults, SaveOfANewPath) {
  auto a = saved(true, false);
  a.prepare = [](std::string const&) {};
  a.act = [](std::string const& in) { save(in + "/new/deep/m", two()); };
  a.state = [](std::string const& in) { return fs::exists(in + "/new/deep/m") ? value_at(in + "/new/deep/m") : 1; };
  sweep(a).run();
}
TEST(Faults, NumberedCheckpoints) {
  auto a = saved(true, false);
  a.prepare = [](std::string const& in) {
    ts::checkpoints saved(in, 2);
    saved.save(1, one());
    saved.save(2, one());
  };
  a.act = [](std::string const& in) { ts::checkpoints(in, 2).save(3, two()); };
  a.state = [](std::string const& in) {
    ts::checkpoints const saved(in, 2);
    for (auto const step : saved.steps())
      if (value_at(saved.path(step)) != (step == 3 ? 2 : 1)) return 0;
    return saved.last() == 3 ? 2 : saved.last() == 2 ? 1 : 0;
  };
  sweep(a).run();
}
TEST(Faults, Restore) {
  int got = 0;
  auto a = saved(true, false);
  a.act = [&](std::string const& in) { got = (got = 0, value_at(in + "/m")); };
  a.state = [&](std::string const& in) { return value_at(in + "/m") != 1 ? 0 : got == 1 ? 2 : 1; };
  a.writes = false;
  sweep(a).run();
}
// Threads stand for two processes: what one cannot do, both are told.
TEST(Faults, TwoProcesses) {
  using pair = ts::mesh<ts::explicit_axis<dp, 2>>;
  for (bool const on_a_thread : {false, true}) {
    auto const in_both = [=](std::string const& path, float value) {
      std::array<std::string, 2> said;
      ts::run_ranks(2, [&](std::shared_ptr<ts::channel> world) {
        ts::detail::join_world_as_thread(world);
        auto& own = said[world->rank()];
        try {
          auto const x =
              ts::device_put<P<dp>>(ts::host<64>(std::vector<float>(64, value)), ts::make_mesh<pair>(ts::devices()));
          ts::detail::end_save(*ts::detail::begin_save(ts::detail::leaves_of(std::tuple{x, static_cast<int>(value)}),
                                                       {.path = path}, on_a_thread));
        } catch (std::exception const& error) {
          own = error.what();
        }
        ts::detail::join_world_as_thread(nullptr);
      });
      EXPECT_EQ(said[0].empty(), said[1].empty()) << said[0] << said[1];
      if (!said[0].empty()) throw std::runtime_error(said[0]);
    };
    auto a = saved(true, false);
    a.prepare = [=](std::string const& in) { in_both(in + "/m", 1); };
    a.act = [=](std::string const& in) { in_both(in + "/m", 2); };
    a.writes = false;  // threads of a child
    sweep(a).run();
  }
}

// Other files.

action written(std::string const& name, std::function<void(std::string const&, float)> const& write) {
  std::string texts[2];
  for (int k = 0; k < 2; ++k) {
    own_folder const folder;
    for (int turn = 0; turn <= k; ++turn) write(folder / name, static_cast<float>(turn));
    texts[k] = bytes_of_file(folder / name);
  }
  EXPECT_NE(texts[0], texts[1]);
  return {[=](std::string const& in) { write(in + "/" + name, 0); },
          [=](std::string const& in) { write(in + "/" + name, 1); },
          [=](std::string const& in) {
            auto const text = bytes_of_file(in + "/" + name);
            return text == texts[1] ? 2 : text == texts[0] ? 1 : 0;
          }};
}
TEST(Faults, SaveNpy) {
  sweep(written("x.npy", [](std::string const& path, float value) {
    ts::save_npy(path, ts::host<64>(std::vector<float>(64, value)));
  })).run();
}
TEST(Faults, Report) {
  sweep(written("run.html", [](std::string const& path, float value) {
    ts::run_report(value == 0 ? "old" : "new").text("a", "b").write(path);
  })).run();
}
TEST(Faults, Metrics) {
  auto a = written("run.csv", [](std::string const& path, float value) {
    if (value == 0) std::remove(path.c_str());
    ts::metrics log(path, {"loss"}, value == 0 ? 0 : 2);
    for (int step = value == 0 ? 1 : 2; step < 4; ++step) log.add(step, {value});
  });
  // Each line is there as soon as add() returns: a file that ends after a line is what a fault there leaves.
  a.state = [](std::string const& in) {
    std::string const text = bytes_of_file(in + "/run.csv"), whole = "step,loss\n1,0\n2,1\n3,1\n";
    if (text == whole) return 2;
    return text == "step,loss\n1,0\n2,0\n3,0\n" || (text.size() >= 14 && whole.rfind(text, 0) == 0) ? 1 : 0;
  };
  sweep(a).run();
}
TEST(Faults, Loaders) {
  using x_type = ts::array_type<float, ts::shape<4, 2>, ts::P<>, grid>;
  using y_type = ts::array_type<std::int32_t, ts::shape<4, 4>, ts::P<>, grid>;
  bool read = false;
  action a;
  a.writes = false;
  a.prepare = [](std::string const& in) {
    std::vector<float> numbers(16);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    ts::save_npy(in + "/x.npy", ts::host<8, 2>(numbers));
    ts::save_npy(in + "/f.npy", ts::host<8, 2>(numbers), ts::npy_order::fortran);
    std::string csv, tokens;
    for (int i = 0; i < 8; ++i) csv += std::to_string(2 * i) + ',' + std::to_string(2 * i + 1) + '\n';
    for (char i = 0; i < 33; ++i) (tokens += i) += '\0';
    write_file(in + "/x.csv", csv);
    write_file(in + "/x.bin", tokens);
  };
  a.act = [&](std::string const& in) {
    read = false;
    auto const mesh = ts::make_mesh<grid>(ts::devices());
    ts::csv_file const csv(in + "/x.csv");
    ts::token_file const tokens(in + "/x.bin", ts::dtype::uint16);
    ts::loader<x_type, x_type, x_type, y_type> batches(
        mesh, {.shuffle = false}, ts::npy_file(in + "/x.npy").rows<float>(), ts::npy_file(in + "/f.npy").rows<float>(),
        csv.columns<float>({.count = 2}), tokens.sequences({.length = 4}));
    float next = 0;
    bool good = true;
    for (auto const& [x, f, c, t] : batches.epoch()) {
      auto const values = x.to_host();
      for (float v : values) good = good && v == next++;
      good = good && values == f.to_host() && values == c.to_host();
      std::int32_t token = static_cast<std::int32_t>(next) * 2 - 16;
      for (auto v : t.to_host()) good = good && v == token++;
    }
    auto const whole = ts::load_npy<P<dp>, ts::shape<8, 2>, float>(in + "/x.npy", mesh).to_host();
    read = good && next == 16 && whole[15] == 15;
  };
  a.state = [&](std::string const&) { return read ? 2 : 1; };
  sweep(a).run();
}

}  // namespace
