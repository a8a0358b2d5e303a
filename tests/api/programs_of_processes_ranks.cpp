// SPDX-License-Identifier: Apache-2.0
// Programs over several processes: the values that one process with all devices computes; and processes that do not run
// the same one.

#include <tessera/api/processes.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/exec/device/profiler_trace.hpp>
#include <tessera/exec/device/under_way.hpp>

#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <complex>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::thrown_text;

struct ProgramsOfProcesses : testing::Test {
  void SetUp() override {
    if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  }
};

// This process by itself, with all devices.
class alone {
public:
  alone() { ts::detail::join_world_as_thread(ts::alone()); }
  ~alone() { ts::detail::join_world_as_thread(nullptr); }
};
template <class F>
void same(F const& f) {
  std::vector<double> wanted;
  {
    alone const here;
    auto const values = f().to_host();
    wanted.assign(values.begin(), values.end());
  }
  auto const got = ts::process_allgather(f());
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-11) << i;
}
void contains(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(ProgramsOfProcesses, Gradients) {
  same([] {
    return ts::jit([](auto w, auto x) {
      return ts::grad(
          [](auto v, auto y) { return ts::sum(ts::tanh(ts::matmul(y, v, ts::out_sharding<P<dp, none>>))); })(w, x);
    })(put<P<mp, none>, 6, 4>(0.4), put<P<dp, mp>, 8, 6>(0.3));
  });
}
TEST_F(ProgramsOfProcesses, Scans) {
  same([] {
    return ts::jit([](auto x) {
      return std::get<1>(ts::scan(
          [](auto sum, auto row) {
            return std::tuple{ts::sin(sum) + row, ts::sum(row) * sum};
          },
          ts::sum<0>(x), x));
    })(put<P<none, dp>, 5, 8>(0.3));
  });
}
// The rows of neighbors' blocks that windows reach, of other processes and of this one.
constexpr auto smooth = [](auto x, auto k) { return ts::tanh(ts::conv(x, k, ts::same)); };
template <class S>
void convolved() {
  same([] { return ts::jit(smooth)(put<S, 2, 3, 16, 8>(0.7), put<P<>, 2, 3, 3, 3>(0.4)); });
  same([] {
    return ts::jit(ts::grad([](auto x, auto k) { return ts::sum(smooth(x, k)); }))(put<S, 2, 3, 16, 8>(0.7),
                                                                                   put<P<>, 2, 3, 3, 3>(0.4));
  });
}
TEST_F(ProgramsOfProcesses, Convolutions) {
  convolved<P<none, none, dp>>();
  convolved<P<none, none, mp, dp>>();
  convolved<P<none, none, ts::axes<dp, mp>>>();
}
TEST_F(ProgramsOfProcesses, Rings) {
  same([] {
    return ts::shard_map<ts::out_specs<P<ts::axes<dp, mp>>>>([](auto x) {
      return std::get<1>(ts::fori_loop(
          0, 8,
          [](auto turn, auto carried) {
            auto const& [here, sum] = carried;
            auto const next = ts::ppermute<dp, mp>(here, ts::rotate<1>);
            return std::tuple{next, sum + next * turn};
          },
          std::tuple{x, x * 0}));
    })(put<P<ts::axes<dp, mp>>, 16>(0.3));
  });
}
// A process keeps what its devices have in common once; each of them sends and adds it all the same.
template <class... A>
void of_what_devices_share() {
  same([] {
    return ts::shard_map<ts::out_specs<P<ts::axes<dp, mp>>>>([](auto x) {
      auto const shared = ts::all_gather<A...>(x, ts::tiled);
      auto const squares = [](auto y) { return ts::sum<1>(y * y); };
      return squares(ts::psum_scatter<A...>(shared, ts::tiled)) +
             squares(ts::psum_scatter<A...>(shared * 0.5, ts::tiled)) +
             squares(ts::psum_scatter<A...>(ts::psum<A...>(shared), ts::tiled)) +
             squares(ts::psum_scatter<A...>(ts::ppermute<A...>(shared, ts::rotate<1>), ts::tiled)) +
             squares(ts::all_to_all<A...>(shared, ts::split_dim<0>, ts::concat_dim<1>, ts::tiled));
    })(put<P<ts::axes<dp, mp>>, 16, 3>(0.3));
  });
}
TEST_F(ProgramsOfProcesses, CollectivesOfWhatDevicesShare) {
  of_what_devices_share<dp>();
  of_what_devices_share<mp>();
  of_what_devices_share<dp, mp>();
}
TEST_F(ProgramsOfProcesses, EagerOperations) {
  same([] {
    auto const x = put<P<dp, mp>, 8, 6>(0.3), y = put<P<dp, mp>, 8, 6>(0.7);
    return ts::transpose(ts::exp(x) * y - ts::sum<1>(x, ts::keepdims));
  });
  same([] { return put<P<dp, mp>, 8, 6>(0.3).at(2, 3).set(5.0); });
  same([] { return ts::max<0>(put<P<dp, mp>, 8, 6>(0.3)); });
}
TEST_F(ProgramsOfProcesses, AutoAxes) {
  using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
  same([] {
    auto const mesh = ts::make_mesh<loose>(ts::devices());
    auto const x = ts::device_put<P<dp, mp>>(ts::host<8, 6>(wave(48, 0.3)), mesh);
    auto const w = ts::device_put<P<mp, none>>(ts::host<6, 4>(wave(24, 0.3)), mesh);
    return ts::jit([](auto a, auto b) { return ts::sum<0>(ts::tanh(ts::matmul(a, b))); })(x, w);
  });
}
TEST_F(ProgramsOfProcesses, UnevenSizes) {
  using uneven = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;
  same([] {
    auto const mesh = ts::make_mesh<uneven>(ts::devices());
    auto const x = ts::device_put<P<dp, mp>>(ts::host<7, 3>(wave(21, 0.3)), mesh);
    return ts::jit([](auto a) { return a - ts::sum<0>(a) / ts::sum(a * a); })(x);
  });
}
using sizes = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;
auto rows_of(std::int64_t rows, ts::extents_list const& mesh) {
  return ts::device_put<P<dp, mp>>(ts::host<ts::dynamic, 8>(wave(static_cast<std::size_t>(rows * 8), 0.3)),
                                   ts::make_mesh<sizes>(ts::devices(), mesh));
}
constexpr auto of_any_size = [](auto x) { return ts::tanh(x) - ts::sum<0>(x * x); };
TEST_F(ProgramsOfProcesses, DynamicSizes) {
  for (auto const& mesh : {ts::extents_list{4, 2}, {8, 1}, {1, 8}, {2, 4}})
    same([&] { return ts::jit(of_any_size)(rows_of(8, mesh)); });
  same([&] { return ts::jit(of_any_size)(rows_of(24, {4, 2})); });
}

TEST_F(ProgramsOfProcesses, DifferentOnesAreRefusedByAll) {
  if (ts::process_count() == 1) return;
  auto const x = put<P<dp, mp>, 8, 6>(0.3);
  auto const said = thrown_text<std::logic_error>([&] {
    if (ts::process_index() == 1)
      (void)ts::jit([](auto v) { return ts::exp(ts::sum<0>(v)); })(x);
    else
      (void)ts::jit([](auto v) { return ts::tanh(ts::sum<0>(v)); })(x);
  });
  contains(said, "the processes run different programs: " + std::to_string(ts::process_count() - 1) + " of ");
  contains(said, "process 1 does not. The first difference:\n  process 0: sum");
  same([] { return ts::sum<1>(put<P<dp, mp>, 8, 6>(0.9)); });  // the channel is as good as before
}
TEST_F(ProgramsOfProcesses, DifferentShapesAreRefusedByAll) {
  if (ts::process_count() == 1) return;
  auto const x = rows_of(ts::process_index() == 0 ? 48 : 40, {4, 2});
  auto const said = thrown_text<std::logic_error>([&] { (void)ts::jit(of_any_size)(x); });
  contains(said, "process 0: argument 0: float64[12,4]");
  contains(said, "process 1: argument 0: float64[10,4]");
}

// A number that is `there` in process 1 and `here` in the others.
template <class F, class N>
void refused_number(F const& f, N here, N there, std::string const& text_here, std::string const& text_there) {
  auto const x = put<P<dp, mp>, 8, 6>(0.3);
  N const own = ts::process_index() == 1 ? there : here;
  std::string const said = thrown_text<std::logic_error>([&] { (void)f(x, own); });
  contains(said, "argument 1 is the number " + text_here + "\n");
  contains(said, "argument 1 is the number " + text_there + "\n");
}
TEST_F(ProgramsOfProcesses, DifferentNumbersAreRefusedByAll) {
  if (ts::process_count() == 1) return;
  // Each type is another program, and its first call is compared.
  auto const product = [](auto const& x, auto n) { return ts::jit([](auto v, auto m) { return v * m; })(x, n); };
  refused_number(product, 2, 3, "2", "3");
  refused_number(product, 0.5, 0.25, "0.5", "0.25");
  refused_number(product, true, false, "bool true", "bool false");
  refused_number(product, ts::float16(0.5), ts::float16(-2), "float16 0.5", "float16 -2");
  refused_number(product, ts::bfloat16(0.5f), ts::bfloat16(4.f), "bfloat16 0.5", "bfloat16 4");
  refused_number(product, ts::complex64(1, 2), ts::complex64(1, -2), "complex64 1+2i", "complex64 1-2i");
  refused_number(product, ts::complex128(1, 2), ts::complex128(3, 2), "complex128 1+2i", "complex128 3+2i");
  refused_number(product, std::complex<float>(0, 2), std::complex<float>(0, 1), "complex64 0+2i", "complex64 0+1i");
  // Outside of jit.
  auto const quotient = [](auto const& x, auto n) { return x / n; };
  refused_number(quotient, 2, 3, "2", "3");
  refused_number(quotient, true, false, "bool true", "bool false");
  refused_number(quotient, ts::float16(0.5), ts::float16(-2), "float16 0.5", "float16 -2");
  refused_number(quotient, std::complex<double>(1, 2), std::complex<double>(0, 1), "complex128 1+2i",
                 "complex128 0+1i");
  same([] { return put<P<dp, mp>, 8, 6>(0.3) * ts::float16(0.5) * true; });
}
TEST_F(ProgramsOfProcesses, ConstantsOfDifferentNumbersAreRefusedByAll) {
  if (ts::process_count() == 1) return;
  auto const x = put<P<dp, mp>, 8, 6>(0.3);
  auto const own = ts::full<6>(ts::process_index() == 1 ? 0.5 : 0.25);
  auto const said = thrown_text<std::logic_error>([&] { (void)(x + own); });
  contains(said, "process 0: add");
  contains(said, "argument 1 is a constant: literal 0.25 ");
  contains(said, "argument 1 is a constant: literal 0.5 ");
}
template <int I>
struct with_literals {
  constexpr auto operator()(auto v) const { return ts::where(I % 2 == 0, v * ts::complex64(1, I / 2), v); }
};
TEST_F(ProgramsOfProcesses, DifferentLiteralsAreRefusedByAll) {
  if (ts::process_count() == 1) return;
  auto const x = put<P<dp, mp>, 8, 6>(0.3);
  auto const refused = [&](auto const& here, auto const& there) {
    std::string const said = thrown_text<std::logic_error>([&] {
      if (ts::process_index() == 1)
        (void)there(x);
      else
        (void)here(x);
    });
    contains(said, "process 1 does not. The first difference:\n  process 0: literal");
  };
  refused(ts::jit(with_literals<4>{}), ts::jit(with_literals<5>{}));  // the mask
  refused(ts::jit(with_literals<8>{}), ts::jit(with_literals<6>{}));  // the imaginary part
}

template <class F>
std::string printed(F const& f) {
  std::ostringstream out;
  ts::print_to const here(out);
  f();
  return out.str();
}
// What process 0 prints is what one process prints; the others print nothing.
template <class F>
void same_text(F const& f) {
  std::string wanted;
  {
    alone const here;
    wanted = printed(f);
  }
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(printed(f), ts::process_index() == 0 ? wanted : "");
}
TEST_F(ProgramsOfProcesses, PrintByProcess0) {
  same_text([] {
    (void)ts::jit([](auto x) { return ts::debug_print<"sum {}">(ts::sum<0>(x)), x * 2; })(put<P<dp, mp>, 4, 2>(0.3));
  });
}
TEST_F(ProgramsOfProcesses, PrintForEachDeviceInOrder) {
  same_text([] {
    (void)ts::shard_map<ts::out_specs<P<dp, mp>>>([](auto x) { return ts::debug_print<"{}">(x), x * 2; })(
        put<P<dp, mp>, 4, 2>(0.3));
  });
  same_text([] {
    (void)ts::shard_map<ts::out_specs<P<mp>>>([](auto x) {
      return ts::fori_loop(
          0, 2, [](auto turn, auto v) { return ts::debug_print<"turn {}: {}">(turn, v), v * 2; }, x);
    })(put<P<mp>, 4>(0.3));
  });
  same_text([] { ts::debug_print<"{} is {:type}">(put<P<dp, mp>, 4, 2>(0.3), put<P<dp>, 4>(0.3)); });
}

// The index is outside on the last devices only.
TEST_F(ProgramsOfProcesses, CheckedIndicesThrowInAll) {
  contains(thrown_text<std::out_of_range>([] {
             (void)ts::shard_map<ts::out_specs<P<dp>>>([](auto x) {
               auto const last = x.at(ts::axis_index<dp>(x) * 2).get(ts::mode::checked);
               return x + last;
             })(put<P<dp>, 20>(0.3));
           }),
           "index 6 of dimension 0, which has 5");
  same([] { return ts::sum<0>(put<P<dp, mp>, 8, 6>(0.7)); });
}

// A sum that follows a step is finished before a message that is started early reads it; both cross processes.
using tall = ts::mesh<ts::explicit_axis<mp, 2>, ts::explicit_axis<dp, 4>>;
constexpr auto gathered_sums = [](auto x, auto y) {
  auto const sums = ts::sum<0>(x);
  auto const beside = ts::exp(ts::sin(y) * 0.3 + ts::cos(y));
  return ts::sum(beside) + ts::sum(ts::reshard<P<>>(sums) * ts::reshard<P<>>(sums));
};
TEST_F(ProgramsOfProcesses, EarlyMessagesReadFinishedSums) {
  for (int turn = 0; turn < 5; ++turn)
    same([] {
      auto const mesh = ts::make_mesh<tall>(ts::devices());
      auto const x = ts::device_put<P<dp, mp>>(ts::host<64, 512>(wave(64 * 512, 0.3)), mesh);
      auto const y = ts::device_put<P<dp, mp>>(ts::host<256, 64>(wave(256 * 64, 0.7)), mesh);
      return ts::jit(gathered_sums)(x, y);
    });
}

// A check, and a callback that throws, on the last devices only.
TEST_F(ProgramsOfProcesses, ChecksThrowInAll) {
  contains(thrown_text<ts::check_failed>([] {
             (void)ts::shard_map<ts::out_specs<P<dp>>>([](auto x) {
               ts::debug_check<"block of {}">(ts::sum(x) < 30.0, ts::sum(x));
               return x;
             })(put<P<dp>, 12>(counted(12)));
           }),
           "block of 30.0");
  contains(
      thrown_text<ts::check_failed>([] { ts::debug_check<"sum {}">(ts::sum(put<P<dp>, 4>(counted(4))) < 6.0, 6.0); }),
      "sum 6.0");
  contains(thrown_text<std::exception>([] {
             (void)ts::shard_map<ts::out_specs<P<dp>>>([](auto x) {
               ts::debug_callback(
                   [](auto block) {
                     if (block[0] > 8) throw std::domain_error("stop at 9");
                   },
                   x);
               return x;
             })(put<P<dp>, 12>(counted(12)));
           }),
           "stop at 9");
  same([] { return ts::sum<0>(put<P<dp, mp>, 8, 6>(0.7)); });
}

// A NaN of one device is found by all, in programs that send messages.
TEST_F(ProgramsOfProcesses, InvalidValuesThrowInAll) {
  ts::debug_nans const watched;
  auto values = std::vector<double>(48, 1.0);
  values[47] = -1;
  auto const rooted = [](auto x) {
    auto const all = ts::sum<0>(x * 2.0);
    return ts::sum<0>(ts::sqrt(x)) + all;
  };
  std::string const text = thrown_text<ts::invalid_value>([&] { (void)ts::jit(rooted)(put<P<dp, mp>, 8, 6>(values)); });
  contains(text, "sqrt, programs_of_processes_ranks.cpp:");
  contains(text,
           "makes NaN at (1, 2) of float64[2,3], the block of the devices at (dp, mp) = (3, 1). No operand has one.");
  same([&] { return ts::jit(rooted)(put<P<dp, mp>, 8, 6>(std::vector<double>(48, 1.0))); });
}

TEST_F(ProgramsOfProcesses, ArraysArePrintedByEachAlone) {
  auto const x = put<P<dp, mp>, 4, 2>(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  std::ostringstream out;
  if (ts::process_index() == 0) out << x;  // by one process, without the others
  std::ostringstream picture;
  picture << ts::visualize(x);
  EXPECT_NE(picture.str().find("CPU 7"), std::string::npos);
  if (ts::process_index() != 0) return;
  if (ts::process_count() == 1) {
    EXPECT_EQ(out.str(), "[[0. 1.]\n [2. 3.]\n [4. 5.]\n [6. 7.]]");
  } else if (ts::process_count() == 4) {
    EXPECT_EQ(out.str(),
              "float64[4@dp,2@mp], its parts in process 0 of 4\n"
              "[0:1, 0:1] on CpuDevice(id=0)\n[[0.]]\n"
              "[0:1, 1:2] on CpuDevice(id=1)\n[[1.]]");
  }
  std::ostringstream whole;
  whole << put<P<>, 2>(counted(2));
  EXPECT_EQ(whole.str(), "[0. 1.]");
}

// Layers that are gathered before they are needed, and whose gradients are summed and scattered.
constexpr auto gathered_layers = [](auto p, auto x) {
  auto const loss = [](auto q, auto a) {
    auto const whole = [](auto w) { return ts::reshard<P<ts::reduced<dp>>>(w); };
    auto const b = ts::tanh(ts::matmul(a, whole(std::get<0>(q))));
    auto const c = ts::tanh(ts::matmul(b, whole(std::get<1>(q))));
    return ts::sum(ts::tanh(ts::matmul(c, whole(std::get<2>(q)))));
  };
  auto const gradient = ts::grad(loss)(p, x);
  return std::get<0>(p) - std::get<0>(gradient) * std::get<1>(gradient) + std::get<2>(gradient);
};
auto one_step() {
  auto const w = put<P<dp>, 8, 8>(0.4);
  return ts::jit(gathered_layers)(std::tuple{w, w, w}, put<P<dp>, 8, 8>(0.3));
}
TEST_F(ProgramsOfProcesses, MessagesOverlapSteps) {
  using ts::detail::message_overlap;
  for (auto how : {message_overlap::none, message_overlap::steps, message_overlap::full}) {
    ts::detail::overlap = how;
    same(one_step);
  }
}

std::string text_between(std::string const& line, std::string const& begin, std::string const& end) {
  auto const at = line.find(begin);
  if (at == std::string::npos) return {};
  return line.substr(at + begin.size(), line.find(end, at + begin.size()) - at - begin.size());
}
// An event a line: exec/device/profiler_trace.hpp.
TEST_F(ProgramsOfProcesses, ATimelineHasARowForEach) {
  std::string const file = "timeline_of_processes." + std::to_string(ts::process_count()) + ".json";
  ts::start_trace(file);
  (void)one_step();
  EXPECT_EQ(thrown_text<std::logic_error>([] { ts::start_trace("again"); }).substr(0, 8), "tessera:");
  ts::stop_trace();
  (void)one_step();
  if (ts::process_index() != 0) return;
  std::ifstream in(file);
  std::vector<int> steps(static_cast<std::size_t>(ts::process_count()));
  std::string started;  // by process 0, and not waited for
  int beside = 0, overlapped = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find("programs_of_processes_ranks.cpp:") == std::string::npos) continue;  // the user's line
    std::string const kind = text_between(line, "\"cat\":\"", "\""), name = text_between(line, "\"name\":\"", "\"");
    auto const rank = std::stoul(text_between(line, "\"pid\":", ","));
    ASSERT_LT(rank, steps.size());
    steps[rank] += kind == "step";
    if (rank != 0) continue;
    if (kind == "start") started = name.substr(6), beside = 0;
    beside += kind == "step";
    if (kind == "wait" && name == "wait " + started) overlapped += beside > 0;
  }
  for (int count : steps) EXPECT_GT(count, 5);
  EXPECT_GE(overlapped, steps.size() > 1 ? 2 : 0);
  std::remove(file.c_str());
}

}  // namespace
