// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every channel must do, whatever its model. A case runs on all ranks of a channel at once and throws where it is wrong.

#include <tessera/comm/channel/channel.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::testing {

struct channel_case {
  char const* name;
  void (*run)(channel& on);
};

inline void require(bool good, std::string const& what) {
  if (!good) throw std::logic_error(what);
}

// Whole numbers that 16-bit floats have exactly, as have sums over 8 ranks.
inline int value(int rank, std::int64_t i) { return static_cast<int>((i * 7 + rank * 5) % 11); }

template <class T>
T element(int rank, std::int64_t i) {
  int const v = value(rank, i);
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
    return T(static_cast<float>(v));
  else if constexpr (detail::ComplexLike<T>)
    return T(static_cast<typename T::value_type>(v), static_cast<typename T::value_type>(2 * v - 7));
  else
    return static_cast<T>(v);
}

template <class T>
std::vector<T> block(int rank, std::int64_t count, std::int64_t begin = 0) {
  std::vector<T> made(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) made[i] = element<T>(rank, begin + i);
  return made;
}

template <class T>
void same(std::vector<T> const& got, std::vector<T> const& wanted, std::string const& what) {
  require(got.size() == wanted.size(), what + ": another size");
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &wanted[i], sizeof(T)) != 0) require(false, what + ": element " + std::to_string(i));
}

inline double combined(monoid how, double x, double y) {
  switch (how) {
    case monoid::sum: return x + y;
    case monoid::product: return x * y;
    case monoid::max:
    case monoid::logical_or: return std::max(x, y);
    default: return std::min(x, y);
  }
}

// Elements of every rank's block, the obvious way.
template <class T>
std::vector<T> across(channel& on, std::int64_t count, monoid how, std::int64_t begin = 0) {
  std::vector<T> wanted(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    double re = value(0, begin + i), im = 2 * re - 7;
    for (int rank = 1; rank < on.size(); ++rank) {
      double const v = value(rank, begin + i), w = 2 * v - 7;
      if (detail::ComplexLike<T> && how == monoid::product)
        std::tie(re, im) = std::pair{re * v - im * w, re * w + im * v};
      else
        re = combined(how, re, v), im += w;
    }
    auto& one = wanted[i];
    if constexpr (detail::ComplexLike<T>)
      one = T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
    else if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
      one = T(static_cast<float>(re));
    else
      one = static_cast<T>(re);
  }
  return wanted;
}

template <class T>
void reductions(channel& on, dtype element, std::vector<monoid> const& monoids) {
  for (std::int64_t const count : {1, 3, 1031, 20001}) {
    for (monoid const how : monoids) {
      if (count > 20000 && (how != monoid::sum || sizeof(T) < 4)) continue;
      for (auto const order : {combine_order::fastest, combine_order::by_rank}) {
        std::string const what = std::string(name_of(element)) + " x " + std::to_string(count) + ", monoid " +
                                 std::to_string(static_cast<int>(how));
        std::int64_t const some = how == monoid::product ? std::min<std::int64_t>(count, 3) : count;
        auto const wanted = across<T>(on, some, how);
        auto in = block<T>(on.rank(), some);
        std::vector<T> out(in.size());
        on.all_reduce(out.data(), in.data(), some, element, how, "all_reduce of " + what, order).wait();
        same(out, wanted, "all_reduce of " + what);
        on.all_reduce(in.data(), in.data(), some, element, how, "all_reduce in place of " + what, order).wait();
        same(in, wanted, "all_reduce in place of " + what);

        auto const whole = block<T>(on.rank(), some * on.size());
        on.reduce_scatter(out.data(), whole.data(), some, element, how, "reduce_scatter of " + what, order).wait();
        same(out, across<T>(on, some, how, some * on.rank()), "reduce_scatter of " + what);
      }
    }
  }
}

inline void case_whole_numbers(channel& on) {
  std::vector<monoid> const all{monoid::sum, monoid::max, monoid::min, monoid::logical_and, monoid::logical_or};
  reductions<std::int8_t>(on, dtype::int8, all);
  reductions<std::int16_t>(on, dtype::int16, all);
  reductions<std::int32_t>(on, dtype::int32, all);
  reductions<std::int64_t>(on, dtype::int64, {monoid::sum, monoid::max, monoid::min, monoid::product});
  reductions<std::uint8_t>(on, dtype::uint8, all);
  reductions<std::uint16_t>(on, dtype::uint16, all);
  reductions<std::uint32_t>(on, dtype::uint32, all);
  reductions<std::uint64_t>(on, dtype::uint64, {monoid::sum, monoid::max, monoid::min});
}
inline void case_real_numbers(channel& on) {
  std::vector<monoid> const all{monoid::sum, monoid::max, monoid::min};
  reductions<float16>(on, dtype::float16, all);
  reductions<bfloat16>(on, dtype::bfloat16, all);
  reductions<float>(on, dtype::float32, {monoid::sum, monoid::max, monoid::min, monoid::product});
  reductions<double>(on, dtype::float64, {monoid::sum, monoid::max, monoid::min, monoid::product});
}
inline void case_complex_numbers(channel& on) {
  reductions<complex64>(on, dtype::complex64, {monoid::sum, monoid::product});
  reductions<complex128>(on, dtype::complex128, {monoid::sum, monoid::product});
}
inline void case_truth(channel& on) {
  for (monoid const how :
       {monoid::sum, monoid::product, monoid::max, monoid::min, monoid::logical_and, monoid::logical_or}) {
    bool const both = how == monoid::product || how == monoid::min || how == monoid::logical_and;
    // All true, all false, only the last rank's true, only rank 0's false.
    bool const in[4]{true, false, on.rank() == on.size() - 1, on.rank() != 0};
    bool out[4];
    on.all_reduce(out, in, 4, dtype::boolean, how, "truth").wait();
    require(out[0] && !out[1] && out[2] == (!both || on.size() == 1) && out[3] == (!both && on.size() > 1), "truth");
  }
}
inline void case_not_a_number(channel& on) {
  for (monoid const how : {monoid::max, monoid::min}) {
    for (int who = 0; who < on.size(); ++who) {
      double in[3]{1, 2, 3}, out[3];
      if (on.rank() == who) in[1] = std::numeric_limits<double>::quiet_NaN();
      on.all_reduce(out, in, 3, dtype::float64, how, "a NaN").wait();
      require(out[0] == 1 && out[1] != out[1] && out[2] == 3, "a NaN is the maximum and the minimum");
    }
  }
}
// law: a sum by rank is the loop's over the ranks, bit for bit.
inline void case_order(channel& on) {
  auto const number = [](int rank, std::int64_t i) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank * 100003 + i));
    return static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-53 * (rank % 2 ? 1e6 : 1e-3));
  };
  std::int64_t const count = 5003;
  std::vector<float> in(count), out(count), wanted(count);
  for (std::int64_t i = 0; i < count; ++i) {
    auto const at = static_cast<std::size_t>(i);
    in[at] = number(on.rank(), i);
    wanted[at] = number(0, i);
    for (int rank = 1; rank < on.size(); ++rank) wanted[at] += number(rank, i);
  }
  on.all_reduce(out.data(), in.data(), count, dtype::float32, monoid::sum, "order", combine_order::by_rank).wait();
  same(out, wanted, "sum by rank");
}

inline void case_moves(channel& on) {
  int const ranks = on.size(), me = on.rank();
  for (std::int64_t const count : {0, 1, 13, 4099}) {
    auto const mine = block<std::uint8_t>(me, count);
    std::vector<std::uint8_t> all(static_cast<std::size_t>(count * ranks)), wanted;
    for (int rank = 0; rank < ranks; ++rank) {
      auto const one = block<std::uint8_t>(rank, count);
      wanted.insert(wanted.end(), one.begin(), one.end());
    }
    on.all_gather(all.data(), mine.data(), count, "all_gather").wait();
    same(all, wanted, "all_gather");
    std::fill(all.begin(), all.end(), std::uint8_t{99});
    std::copy(mine.begin(), mine.end(), all.begin() + count * me);
    on.all_gather(all.data(), all.data() + count * me, count, "all_gather in place").wait();
    same(all, wanted, "all_gather in place");

    auto const whole = block<std::uint8_t>(me, count * ranks);
    wanted.clear();
    for (int rank = 0; rank < ranks; ++rank) {
      auto const one = block<std::uint8_t>(rank, count, count * me);
      wanted.insert(wanted.end(), one.begin(), one.end());
    }
    on.all_to_all(all.data(), whole.data(), count, "all_to_all").wait();
    same(all, wanted, "all_to_all");

    for (int root = 0; root < ranks; ++root) {
      auto data = block<std::uint8_t>(me, count);
      on.broadcast(data.data(), count, root, "broadcast").wait();
      same(data, block<std::uint8_t>(root, count), "broadcast");
    }
  }
}
// Rank a sends (3 a + 5 b) % 7 x 11 bytes to rank b, from last to first.
inline void case_exchange(channel& on) {
  int const ranks = on.size(), me = on.rank();
  auto const bytes = [](int a, int b) { return std::int64_t{(3 * a + 5 * b) % 7} * 11; };
  std::vector<message_part> sent(static_cast<std::size_t>(ranks)), received(sent);
  std::int64_t in_bytes = 0, out_bytes = 0;
  for (int r = ranks - 1; r >= 0; --r) {
    sent[r] = {in_bytes, bytes(me, r)};
    in_bytes += bytes(me, r);
  }
  for (int r = 0; r < ranks; ++r) {
    received[r] = {out_bytes, bytes(r, me)};
    out_bytes += bytes(r, me);
  }
  std::vector<std::uint8_t> in(static_cast<std::size_t>(in_bytes)), out(static_cast<std::size_t>(out_bytes)), wanted;
  for (int r = 0; r < ranks; ++r) {
    auto const to = block<std::uint8_t>(me, bytes(me, r), 100 * r);
    std::copy(to.begin(), to.end(), in.begin() + sent[r].offset);
    auto const from = block<std::uint8_t>(r, bytes(r, me), 100 * me);
    wanted.insert(wanted.end(), from.begin(), from.end());
  }
  for (int turn = 0; turn < 3; ++turn) {
    std::fill(out.begin(), out.end(), std::uint8_t{77});
    auto going = on.exchange(out.data(), received, in.data(), sent, "exchange");
    auto spare_sent = std::exchange(sent, std::vector<message_part>(sent.size()));  // the spans were copied
    going.wait();
    sent = spare_sent;
    same(out, wanted, "exchange");
  }
}

inline void case_many_at_once(channel& on) {
  constexpr int many = 40;
  std::vector<std::vector<float>> in, out;
  std::vector<request> going;
  for (int k = 0; k < many; ++k) {
    in.push_back(block<float>(on.rank(), 300 + k * 37, k));
    out.emplace_back(in.back().size());
  }
  for (int k = 0; k < many; ++k) {
    auto const at = static_cast<std::size_t>(k);
    auto const count = static_cast<std::int64_t>(in[at].size());
    auto const order = k % 3 == 0 ? combine_order::by_rank : combine_order::fastest;
    going.push_back(on.all_reduce(out[at].data(), in[at].data(), count, dtype::float32, monoid::sum, "many", order));
  }
  // Each rank waits in an order of its own.
  std::vector<std::size_t> turns(many);
  for (std::size_t k = 0; k < many; ++k) turns[k] = k;
  std::shuffle(turns.begin(), turns.end(), std::mt19937(static_cast<unsigned>(on.rank())));
  for (std::size_t const k : turns) {
    going[k].wait();
    same(out[k], across<float>(on, static_cast<std::int64_t>(in[k].size()), monoid::sum, static_cast<std::int64_t>(k)),
         "many at once");
  }
}
inline void case_while_computing(channel& on) {
  auto const in = block<double>(on.rank(), 50000);
  std::vector<double> out(in.size());
  auto going = on.all_reduce(out.data(), in.data(), 50000, dtype::float64, monoid::sum, "while computing");
  double other = 0;
  for (int turn = 0; turn < 100000 && !going.test(); ++turn) {
    other += in[static_cast<std::size_t>(turn) % in.size()];
    on.progress();
  }
  require(other >= 0, "computed");
  going.wait();
  require(going.test(), "complete");
  same(out, across<double>(on, 50000, monoid::sum), "while computing");
}
inline void case_splits(channel& on) {
  int const me = on.rank();
  auto const half = on.split(me % 2, -me, "half");
  require(half->size() == (on.size() + 1 - me % 2) / 2, "size of a half");
  std::vector<int> wanted, got(static_cast<std::size_t>(half->size()));
  for (int rank = on.size() - 1; rank >= 0; --rank)
    if (rank % 2 == me % 2) wanted.push_back(rank);
  // Both go on at once, in different orders.
  int whole = 0;
  auto second = half->all_gather(got.data(), &me, sizeof(int), "ranks of a half");
  auto first = on.all_reduce(&whole, &me, 1, dtype::int32, monoid::sum, "sum of ranks");
  if (me % 2) {
    first.wait();
    second.wait();
  } else {
    second.wait();
    first.wait();
  }
  same(got, wanted, "ranks of a half");
  require(whole == on.size() * (on.size() - 1) / 2, "sum of ranks");
  auto const quarter = half->split(half->rank() / 2, 0, "quarter");
  std::int32_t one = 1, ranks = 0;
  quarter->all_reduce(&ranks, &one, 1, dtype::int32, monoid::sum, "ranks of a quarter").wait();
  require(ranks == quarter->size() && ranks <= 2, "ranks of a quarter");
  auto const none = on.split(me == 0 ? -1 : 3, 0, "all but the first");
  require((none == nullptr) == (me == 0), "no color");
  if (none) none->barrier("all but the first").wait();
  // More than the board has slots for.
  for (int k = 0; k < 60; ++k) {
    auto const again = on.split(0, me, "again");
    require(again->rank() == me && again->size() == on.size(), "the same ranks again");
    again->barrier("again").wait();
  }
}
inline void case_counts(channel& on) {
  auto const before = on.calls(message_kind::all_gather), bytes = on.bytes(message_kind::all_gather);
  std::vector<char> all(static_cast<std::size_t>(on.size()) * 10);
  char const mine[10]{};
  on.all_gather(all.data(), mine, 10, "counted").wait();
  require(on.calls(message_kind::all_gather) == before + 1, "calls");
  require(on.bytes(message_kind::all_gather) == bytes + 10, "bytes");
  require(!on.name().empty() && !on.host_name(0).empty(), "names");
  require(on.host(on.rank()) < on.size(), "hosts");
}
inline void case_misuse(channel& on) {
  auto const refused = [](auto call) {
    try {
      call();
    } catch (std::invalid_argument const&) {
      return true;
    }
    return false;
  };
  int data[2]{};
  require(refused([&] { on.broadcast(data, 4, on.size(), "no root").wait(); }), "a root that is no rank");
  require(refused([&] { on.barrier("before").wait(), on.all_gather(data, data, -1, "less than nothing").wait(); }),
          "a negative count");
  require(refused([&] { on.all_reduce(data, data, 1, dtype::complex64, monoid::max, "complex").wait(); }),
          "a maximum of complex numbers");
  require(refused([&] { on.all_reduce(data, data, 1, dtype::int32, monoid::none, "none").wait(); }), "no monoid");
  on.barrier("after").wait();
}

// More than 2^31 bytes each: what a rank needs is 9 GiB at most.
inline void case_large(channel& on) {
  std::int64_t const count = (std::int64_t{1} << 31) + 4099;
  int const ranks = on.size(), me = on.rank();
  std::vector<std::uint8_t> in(static_cast<std::size_t>(count)), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::uint8_t>((i * 3 + static_cast<std::size_t>(me)) >> 4);
  auto const at = [](std::int64_t i, int rank) {
    return static_cast<std::uint8_t>((static_cast<std::size_t>(i) * 3 + static_cast<std::size_t>(rank)) >> 4);
  };
  on.all_reduce(out.data(), in.data(), count, dtype::uint8, monoid::max, "large").wait();
  for (std::int64_t i = 0; i < count; i += i < count - 100 ? 97 : 1) {
    std::uint8_t wanted = 0;
    for (int rank = 0; rank < ranks; ++rank) wanted = std::max(wanted, at(i, rank));
    require(out[i] == wanted, "large all_reduce");
  }
  on.broadcast(out.data(), count, ranks - 1, "large").wait();
  out = in;
  on.broadcast(out.data(), count, 0, "large").wait();
  for (std::int64_t i = 0; i < count; i += i < count - 100 ? 97 : 1) require(out[i] == at(i, 0), "large broadcast");
  std::vector<message_part> sent(static_cast<std::size_t>(ranks)), received(sent);
  sent[(me + 1) % ranks] = {0, count};
  received[(me + ranks - 1) % ranks] = {0, count};
  on.exchange(out.data(), received, in.data(), sent, "large").wait();
  for (std::int64_t i = 0; i < count; i += i < count - 100 ? 97 : 1)
    require(out[i] == at(i, (me + ranks - 1) % ranks), "large exchange");
}

// Parts of more than 2^31 bytes, or sums of them; at most 5 GiB a rank of two.
inline void case_large_parts(channel& on) {
  std::int64_t const ranks = on.size(), me = on.rank();
  auto const at = [](std::int64_t i, std::int64_t rank) {
    return static_cast<std::uint8_t>((static_cast<std::size_t>(i) * 5 + static_cast<std::size_t>(rank) * 7) >> 4);
  };
  auto const sampled = [](std::int64_t count, auto const& f) {
    for (std::int64_t i = 0; i < count; i += i < count - 100 ? 97 : 1) f(i);
  };
  auto const bytes = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  {
    std::int64_t const count = (std::int64_t{1} << 31) + 4099;
    std::vector<std::uint8_t> all(bytes(count * ranks));
    std::uint8_t* const mine = all.data() + count * me;
    for (std::int64_t i = 0; i < count; ++i) mine[i] = at(i, me);
    on.all_gather(all.data(), mine, count, "large").wait();
    for (std::int64_t r = 0; r < ranks; ++r)
      sampled(count, [&](std::int64_t i) { require(all[bytes(r * count + i)] == at(i, r), "large all_gather"); });
  }
  std::int64_t const count = (std::int64_t{1} << 30) + 4099;
  std::vector<std::uint8_t> in(bytes(count * ranks)), out;
  for (std::int64_t i = 0; i < count * ranks; ++i) in[bytes(i)] = at(i, me);
  out.resize(bytes(count));
  on.reduce_scatter(out.data(), in.data(), count, dtype::uint8, monoid::max, "large").wait();
  sampled(count, [&](std::int64_t i) {
    std::uint8_t wanted = 0;
    for (std::int64_t r = 0; r < ranks; ++r) wanted = std::max(wanted, at(me * count + i, r));
    require(out[bytes(i)] == wanted, "large reduce_scatter");
  });
  out.resize(bytes(count * ranks));
  on.all_to_all(out.data(), in.data(), count, "large").wait();
  for (std::int64_t r = 0; r < ranks; ++r)
    sampled(count,
            [&](std::int64_t i) { require(out[bytes(r * count + i)] == at(me * count + i, r), "large all_to_all"); });
}

inline std::vector<channel_case> channel_cases() {
  return {{"whole_numbers", case_whole_numbers},
          {"real_numbers", case_real_numbers},
          {"complex_numbers", case_complex_numbers},
          {"truth", case_truth},
          {"not_a_number", case_not_a_number},
          {"order", case_order},
          {"moves", case_moves},
          {"exchange", case_exchange},
          {"many_at_once", case_many_at_once},
          {"while_computing", case_while_computing},
          {"splits", case_splits},
          {"counts", case_counts},
          {"misuse", case_misuse}};
}

}  // namespace tessera::testing
