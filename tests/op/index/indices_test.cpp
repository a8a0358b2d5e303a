// SPDX-License-Identifier: Apache-2.0
// Indices inside and outside, in every mode, against what JAX answered (indices.txt, which record_indices.py wrote): each
// way of giving an index, element type, read and update as a program made at run time; then the public doors.

#include <tessera/tessera.hpp>
#include <tessera/testing/check_op.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace {

namespace ts = tessera;
namespace ops = ts::ops;
using ts::attributes;
using ts::builder;
using ts::dtype;
using ts::index_mode;
using ts::term;
using ts::detail::index_entry;
using ts::detail::index_params;
using ts::testing::dense_array;

struct indexing_case {
  std::string door, what, mode;
  dtype element;
  std::int64_t index;
  auto operator<=>(indexing_case const&) const = default;
};

std::vector<std::string> parts_of(std::string const& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}
dtype element_named(std::string const& name) {
  for (int e = 0; e <= static_cast<int>(dtype::complex128); ++e)
    if (ts::name_of(static_cast<dtype>(e)) == name) return static_cast<dtype>(e);
  throw std::invalid_argument(name);
}

using answers = std::map<indexing_case, std::vector<double>>;
answers const& recorded() {
  static answers const all = [] {
    answers read;
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/op/index/indices.txt");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream in(line);
      std::string doors, what, modes, elements, indices, number;
      in >> doors >> what >> modes >> elements >> indices >> number;
      std::vector<double> answer;
      while (in >> number) answer.push_back(std::stod(number));
      for (auto const& door : parts_of(doors))
        for (auto const& mode : parts_of(modes))
          for (auto const& element : parts_of(elements))
            for (auto const& index : parts_of(indices))
              read[{door, what, mode, element_named(element), std::stoll(index)}] = answer;
    }
    return read;
  }();
  return all;
}

template <index_mode Mode>
constexpr index_mode asked(ts::mode::tag<Mode>) {
  return Mode;
}
index_mode mode_of(std::string const& name, std::string const& what) {
  bool const takes = what.substr(0, 4) == "take", reads = takes || what == "get";
  index_mode const otherwise{.fill = takes || !reads, .wrap = true};
  if (name == "default") return otherwise;
  index_mode const mode = name == "clip"   ? asked(ts::mode::clip)
                          : name == "fill" ? asked(ts::mode::fill)
                          : name == "drop" ? asked(ts::mode::drop)
                                           : asked(ts::mode::promise_in_bounds);
  if (what == "take") return ts::detail::mode_of_take(mode, otherwise);
  return reads ? ts::detail::mode_or(mode, otherwise) : ts::detail::mode_of_write(mode, otherwise);
}

term make(builder& b, std::string const& what, term const* x, int count, attributes const& attrs) {
  if (what == "get") return b.make<ops::index>(x, count, attrs);
  if (what == "set") return b.make<ops::at_set>(x, count, attrs);
  if (what == "add") return b.make<ops::at_add>(x, count, attrs);
  if (what == "multiply") return b.make<ops::at_multiply>(x, count, attrs);
  if (what == "min") return b.make<ops::at_min>(x, count, attrs);
  if (what == "max") return b.make<ops::at_max>(x, count, attrs);
  if (what == "take") return b.make<ops::take>(x, count, attrs);
  return b.make<ops::take_along_axis>(x, count, attrs);
}

class index_program {
public:
  explicit index_program(indexing_case const& c) : case_(c) {}

  std::vector<double> run() {
    auto const has = [this](char const* part) { return case_.door.find(part) != std::string::npos; };
    bool const batched = case_.door == "batch", update = case_.what != "get" && case_.what.substr(0, 4) != "take";
    bool const both = batched || has("column") || has("point");
    std::vector<double> values{3, 5, 7};
    if (both) values.insert(values.end(), {2, 6, 9});
    if (case_.element == dtype::boolean)
      values = both ? std::vector<double>{1, 0, 0, 0, 1, 0} : std::vector<double>{1, 0, 0};
    std::vector<std::int64_t> const shape = both ? std::vector<std::int64_t>{2, 3} : std::vector<std::int64_t>{3};
    term const x = argument(case_.element, {shape, values});
    auto const i = static_cast<double>(case_.index);
    bool const pair = batched || has("array") || has("columns") || has("points");
    term const index = pair                       ? argument(dtype::int32, {{2}, {i, 1}})
                       : case_.door == "constant" ? ts::number(b_, i, dtype::int32)
                                                  : argument(dtype::int32, {{}, {i}});
    term const v = update ? argument(case_.element, {{}, {4}}) : term{};

    index_params entries;
    entries.mode = mode_of(case_.mode, case_.what);
    term all[4]{x};
    int count = 1;
    if (has("column")) entries.add(index_entry::span, 0, ts::to_end, 1);
    if (has("point")) {
      entries.add(index_entry::operand);
      // JAX's `points` have the index in both dimensions
      all[count++] = case_.door == "point" ? ts::number(b_, 1, dtype::int32) : argument(dtype::int32, {{}, {i}});
    }
    entries.add(index_entry::operand);
    all[count++] = index;
    if (update) all[count++] = v;
    attributes attrs = entries;
    if (case_.what.substr(0, 4) == "take") attrs = ops::take_params{{0}, entries.mode};

    term y = batched ? one_for_each(all, count, attrs) : make(b_, case_.what, all, count, attrs);
    if (has("slope")) y = slope_of(y, has("update") ? v : x);
    auto const made = ts::detail::run_once(std::move(b_), y, in_);
    return ts::testing::detail::whole(made, {}).values;
  }

private:
  term argument(dtype element, dense_array const& x) {
    ts::array_value facts;
    facts.element = element;
    for (auto extent : x.extents) facts.add_dim(extent);
    in_.push_back(ts::testing::detail::place(x, facts, {}));
    return b_.argument(ts::info<ops::argument>, facts);
  }
  // As vmap does it.
  term one_for_each(term* all, int count, attributes const& attrs) {
    auto const before = b_.recorded.size();
    term inner[4]{all[0], all[1], all[2]};
    for (int k : {0, 1})
      inner[k] = {&b_, b_.push(ts::info<ops::argument>, nullptr, 0, {}, ts::without_dim(all[k].facts(), 0))};
    term const y = make(b_, case_.what, inner, count, attrs);
    ts::batching batch(b_, before, -1, 2, {});
    for (int k : {0, 1}) batch.enter(inner[k].id, all[k].id, 0);
    batch.run();
    return batch.leave(y.id, 0);
  }
  // Of sum(y (1, 2, ...)).
  term slope_of(term y, term of) {
    ts::array_value const facts = y.facts();
    dense_array weights{{}, {}};
    for (int d = 0; d < facts.rank; ++d) weights.extents.push_back(facts.extent(d));
    for (std::int64_t k = 0; k < facts.size(); ++k) weights.values.push_back(static_cast<double>(k + 1));
    term loss = b_.make<ops::multiply>({y, argument(y.facts().element, weights)});
    ts::reduce_params over;
    for (int d = 0; d < facts.rank; ++d) over.dims.push_back(d);
    if (!over.dims.empty()) loss = b_.make<ops::reduce_sum>({loss}, over);
    ts::backward back(b_, 0, &of.id, 1);
    back.run(loss.id, ts::number(b_, 1.0, y.facts().element));
    return {&b_, back.cotangent(of.id)};
  }

  indexing_case const& case_;
  builder b_;
  std::vector<ts::stored_array> in_;
};

// Where JAX differs from itself, and what it reads is not what its gradient says: what is outside is read from the nearest
// end, and its gradient is dropped, by arrays; min and max at the nearest end have an infinite gradient. A promise that is
// not kept has none either.
bool has_other_gradient(indexing_case const& c) {
  bool const inside = c.index >= -3 && c.index < 3, slope = c.door.find("slope") != std::string::npos;
  return slope && !inside &&
         (c.mode == "promise_in_bounds" || (c.what == "get" && c.mode == "default" && c.door == "array_slope") ||
          (c.mode == "clip" && (c.what == "min" || c.what == "max")));
}

void expect_answer(indexing_case const& c, std::vector<double> const& got) {
  auto const& want = recorded().at(c);
  bool same = got.size() == want.size();
  for (std::size_t k = 0; same && k < got.size(); ++k)
    same = got[k] == want[k] || (std::isnan(got[k]) && std::isnan(want[k]));
  EXPECT_TRUE(same) << c.door << " " << c.what << " " << c.mode << " " << ts::name_of(c.element) << " " << c.index
                    << ": " << ::testing::PrintToString(got) << ", JAX " << ::testing::PrintToString(want);
}

TEST(indices, as_jax) {
  ASSERT_GT(recorded().size(), 20000u);
  for (auto const& [c, want] : recorded())
    if (!has_other_gradient(c)) expect_answer(c, index_program(c).run());
}

#ifndef TESSERA_BY_DAY
// The gradient goes to what was read, or written.
TEST(indices, gradient_of_what_is_outside) {
  auto const slope = [](char const* door, char const* what, char const* mode, std::int64_t i) {
    return index_program({door, what, mode, dtype::float32, i}).run();
  };
  using numbers = std::vector<double>;
  EXPECT_EQ(slope("array_slope", "get", "default", 100), (numbers{0, 2, 1}));
  EXPECT_EQ(slope("array_slope", "get", "default", -100), (numbers{1, 2, 0}));
  EXPECT_EQ(slope("number_slope", "min", "clip", 100), (numbers{1, 2, 0}));
  EXPECT_EQ(slope("number_slope_of_update", "min", "clip", 100), (numbers{3}));
  EXPECT_EQ(slope("number_slope_of_update", "max", "clip", -100), (numbers{1}));
  EXPECT_EQ(slope("number_slope_of_update", "set", "promise_in_bounds", 100), (numbers{0}));
}

// The public doors.
constexpr std::array<char const*, 3> operations{"get", "set", "add"};
template <auto... Mode>
struct all_of {
  constexpr auto operator()(auto x, auto i) const {
    return std::tuple{x.at(i).get(Mode...), x.at(i).set(4.0f, Mode...), x.at(i).add(4.0f, Mode...)};
  }
};
// Known while compiling, where only those who name a mode may be outside.
template <int I, auto... Mode>
struct all_at : all_of<Mode...> {
  constexpr auto operator()(auto x) const { return all_of<Mode...>::operator()(x, I); }
};
template <auto... Mode>
struct of_batch {
  constexpr auto operator()(auto x, auto i) const { return ts::vmap(all_of<Mode...>{})(x, i); }
};
template <auto... Mode>
struct slope_of_get {
  constexpr auto operator()(auto x, auto i) const {
    return ts::grad([](auto y, auto at) { return y.at(at).get(Mode...); })(x, i);
  }
};

template <class F>
auto interpreted(auto const&... x) {
  return ts::detail::run_jitted<F, false>(x...);
}

template <class A>
std::vector<double> values_of(ts::array<A> const& x) {
  auto const all = x.to_host();
  return {all.begin(), all.end()};
}
void expect_answers(std::string const& door, std::string const& mode, std::int64_t i, auto const& got) {
  std::size_t k = 0;
  std::apply(
      [&](auto const&... y) {
        (expect_answer({door, operations[k++], mode, dtype::float32, i}, values_of(y)), ...);
      },
      got);
}

template <auto... Mode>
void expect_doors(std::string const& mode) {
  auto const x = ts::asarray({3.f, 5.f, 7.f});
  auto const both = ts::asarray({{3.f, 5.f, 7.f}, {2.f, 6.f, 9.f}});
  constexpr all_of<Mode...> f{};
  for (int i : {1, -1, 3, -4, 100, -100}) {
    auto const pair = ts::asarray({i, 1});
    expect_answers("number", mode, i, f(x, i));
    expect_answers("scalar", mode, i, f(x, ts::asarray(i)));
    expect_answers("array", mode, i, f(x, pair));
    expect_answers("late", mode, i, interpreted<all_of<Mode...>>(x, i));
    expect_answers("batch", mode, i, interpreted<of_batch<Mode...>>(both, pair));
    expect_answer({"late_slope", "get", mode, dtype::float32, i}, values_of(interpreted<slope_of_get<Mode...>>(x, i)));
  }
  expect_answers("constant", mode, -1, interpreted<all_at<-1, Mode...>>(x));
  if constexpr (sizeof...(Mode) > 0) {
    expect_answers("constant", mode, 3, interpreted<all_at<3, Mode...>>(x));
    expect_answers("constant", mode, -100, interpreted<all_at<-100, Mode...>>(x));
  }
}
TEST(indices, public_doors) {
  expect_doors<>("default");
  expect_doors<ts::mode::clip>("clip");
  expect_doors<ts::mode::fill>("fill");
  expect_doors<ts::mode::promise_in_bounds>("promise_in_bounds");
}
#endif

}  // namespace
