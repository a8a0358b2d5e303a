// SPDX-License-Identifier: Apache-2.0
// What jax.random gives for 500 and more keys, shapes and types: cases.txt, which record_cases.py wrote. Programs are made,
// planned and run here, so that a case costs no compile time. Bits, and what is made of them without elementary functions, is equal bit for
// bit; `allowed` says how far the others may lie apart.

#include <tessera/graph/backward.hpp>
#include <tessera/random/random.hpp>
#include <tessera/testing/dense_array.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

namespace {

namespace ts = tessera;
using ts::dtype;

struct recorded {
  std::string op, text;
  dtype element{};
  ts::extents_list shape{};
  std::uint32_t key[2]{};
  std::map<std::string, std::string> given;
  std::size_t count = 0;
  std::uint64_t hash = 0;
  std::vector<std::uint64_t> some;

  double number(char const* name) const { return std::stod(given.at(name)); }
  std::int64_t whole(char const* name) const { return std::stoll(given.at(name)); }
};

std::vector<std::string> parts_of(std::string const& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}
ts::extents_list extents_of(std::string const& text) {
  ts::extents_list extents;
  if (text != "-")
    for (auto const& n : parts_of(text, 'x')) extents.push_back(std::stoll(n));
  return extents;
}
dtype element_of_name(std::string const& name) {
  for (int k = 0; k <= static_cast<int>(dtype::complex128); ++k)
    if (ts::name_of(static_cast<dtype>(k)) == name) return static_cast<dtype>(k);
  throw std::invalid_argument(name);
}

std::vector<recorded> all_cases() {
  std::vector<recorded> cases;
  std::ifstream file(TESSERA_SOURCE_DIR "/tests/random/cases.txt");
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    auto const halves = parts_of(line, '|');
    auto const left = parts_of(halves[0], ' '), right = parts_of(halves[1].substr(1), ' ');
    recorded r;
    r.text = halves[0];
    r.op = left[0];
    r.element = element_of_name(left[1]);
    r.shape = extents_of(left[2]);
    for (std::size_t k = 0; k < 2; ++k) r.key[k] = static_cast<std::uint32_t>(std::stoul(left[3 + k], nullptr, 16));
    for (std::size_t k = 5; k < left.size(); ++k)
      if (auto const at = left[k].find('='); at != std::string::npos)
        r.given[left[k].substr(0, at)] = left[k].substr(at + 1);
    r.count = std::stoul(right[0]);
    r.hash = std::stoull(right[1], nullptr, 16);
    if (right.size() > 2)
      for (auto const& bits : parts_of(right[2], ',')) r.some.push_back(std::stoull(bits, nullptr, 16));
    cases.push_back(r);
  }
  return cases;
}

ts::term whole_of(ts::builder& b, std::int64_t value, dtype element = dtype::int64) {
  return ts::detail::whole_number(b, value, element);
}

// A quarter, two quarters, ..., times `step`: record_cases.py's.
ts::term ramp_of(ts::builder& b, ts::extents_list const& shape, dtype element, double step) {
  ts::term const place = ts::detail::places_in(b, shape, {});
  ts::term const next = b.make<ts::ops::add>({place, whole_of(b, 1, dtype::int32)});
  return b.make<ts::ops::multiply>({ts::detail::cast_to_element(b, next, element), ts::number(b, step / 4, element)});
}
// The slope of the sum of an Op's draws by operand `which` of its parameters.
template <class Op>
ts::term slope_of(ts::builder& b, ts::term key, recorded const& r, std::vector<ts::term> parameters, std::size_t which,
                  bool weighted = false) {
  int const wanted = parameters[which].id, start = b.size();
  parameters.insert(parameters.begin(), key);
  ts::ops::random_params const asked{r.element, {}};
  ts::term drawn = b.make<Op>(parameters.data(), static_cast<int>(parameters.size()), asked);
  ts::reduce_params all;
  for (int d = 0; d < drawn.facts().rank; ++d) all.dims.push_back(d);
  if (weighted) {
    ts::term const weights = b.emit<ts::ops::iota>({}, ts::iota_params{dtype::int32, 1, r.shape});
    drawn = b.make<ts::ops::multiply>({drawn, weights});
  }
  ts::term const sum = b.make<ts::ops::reduce_sum>({drawn}, all);
  ts::backward back(b, start, &wanted, 1);
  back.run(sum.id, ts::number(b, 1.0, r.element));
  return {&b, back.cotangent(wanted)};
}
template <class Op>
ts::term drawn_by(ts::builder& b, ts::term key, recorded const& r, std::initializer_list<char const*> names) {
  std::vector<ts::term> x{key};
  for (char const* name : names) x.push_back(ts::number(b, r.number(name), dtype::float64));
  ts::ops::random_params const asked{r.element, r.shape};
  return b.make<Op>(x.data(), static_cast<int>(x.size()), asked);
}
ts::term program_with_parameters(ts::builder& b, ts::term key, recorded const& r) {
  namespace ops = ts::ops;
  auto const steps = [&](char const* name) { return ramp_of(b, r.shape, r.element, r.number(name)); };
  if (r.op == "loggamma") return drawn_by<ops::random_loggamma>(b, key, r, {"a"});
  if (r.op == "chisquare") return drawn_by<ops::random_chisquare>(b, key, r, {"degrees"});
  if (r.op == "t") return drawn_by<ops::random_t>(b, key, r, {"degrees"});
  if (r.op == "f") return drawn_by<ops::random_f>(b, key, r, {"above", "below"});
  if (r.op == "generalized_normal") return drawn_by<ops::random_generalized_normal>(b, key, r, {"p"});
  if (r.op == "cauchy") return drawn_by<ops::random_cauchy>(b, key, r, {});
  if (r.op == "logistic") return drawn_by<ops::random_logistic>(b, key, r, {});
  if (r.op == "rayleigh") return drawn_by<ops::random_rayleigh>(b, key, r, {"scale"});
  if (r.op == "weibull_min") return drawn_by<ops::random_weibull_min>(b, key, r, {"scale", "concentration"});
  if (r.op == "pareto") return drawn_by<ops::random_pareto>(b, key, r, {"b"});
  if (r.op == "triangular") return drawn_by<ops::random_triangular>(b, key, r, {"left", "mode", "right"});
  if (r.op == "geometric")
    return b.make<ops::random_geometric>({key, ts::number(b, r.number("p"), dtype::float32)},
                                         ops::random_params{r.element, r.shape});
  if (r.op == "rademacher") return drawn_by<ops::random_rademacher>(b, key, r, {});
  if (r.op == "lognormal") return drawn_by<ops::random_lognormal>(b, key, r, {"deviation"});
  if (r.op == "maxwell") return drawn_by<ops::random_maxwell>(b, key, r, {});
  if (r.op == "double_sided_maxwell") return drawn_by<ops::random_double_sided_maxwell>(b, key, r, {"middle", "scale"});
  if (r.op == "wald") return drawn_by<ops::random_wald>(b, key, r, {"mean"});
  if (r.op == "dirichlet")
    return b.make<ops::random_dirichlet>({key, ramp_of(b, r.shape, r.element, 1)}, ops::random_params{r.element, {}});
  if (r.op == "gamma_slope") return slope_of<ops::random_gamma>(b, key, r, {steps("step")}, 0);
  if (r.op == "loggamma_slope") return slope_of<ops::random_loggamma>(b, key, r, {steps("step")}, 0);
  if (r.op == "beta_slope")
    return slope_of<ops::random_beta>(b, key, r, {steps("a"), steps("b")}, static_cast<std::size_t>(r.whole("which")));
  if (r.op == "dirichlet_slope")
    return slope_of<ops::random_dirichlet>(b, key, r, {ramp_of(b, r.shape, r.element, 1)}, 0, true);
  return {&b, -1};
}

// The program of a case, of its key's data.
ts::term program_of(ts::builder& b, ts::term key, recorded const& r) {
  namespace ops = ts::ops;
  ops::random_params const asked{r.element, r.shape};
  auto const real = [&](char const* name) { return ts::number(b, r.number(name), dtype::float64); };
  auto const spread = [&](ts::term x) { return x; };
  // i % 5 * scale, float32
  auto const ramp = [&](ts::extents_list const& shape, double scale) {
    ts::term const place = ts::detail::places_in(b, shape, {});
    ts::term const turn = b.make<ops::fmod>({place, whole_of(b, 5, dtype::int32)});
    return b.make<ops::multiply>(
        {ts::detail::cast_to_element(b, turn, dtype::float32), ts::number(b, scale, dtype::float32)});
  };
  if (r.op == "seed") {
    ts::literal_params const seed =
        ts::weak_literal_of({ts::number_value::form::whole, 0, r.whole("seed")}, dtype::int32);
    return b.make<ops::random_seed>({b.emit<ops::literal>({}, seed)});
  }
  if (r.op == "block") {
    ts::term const words[]{whole_of(b, static_cast<std::int32_t>(r.whole("k0")), dtype::int32),
                           whole_of(b, static_cast<std::int32_t>(r.whole("k1")), dtype::int32)};
    auto const place = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.whole("high")) << 32 |
                                                 static_cast<std::uint64_t>(r.whole("low")));
    ts::term const pair = b.emit<ops::threefry_pair>({words[0], words[1], whole_of(b, place)});
    return ts::detail::unpaired(b, b.make<ops::broadcast_to>({pair}, ts::broadcast_params{{}, {2}}), {});
  }
  if (r.op == "split") {
    ts::extents_list batch = r.shape;
    --batch.count;
    return b.make<ops::random_split>({key}, ops::random_params{dtype::uint32, batch});
  }
  if (r.op == "fold_in") {
    for (auto const& data : parts_of(r.given.at("data"), ','))
      key = b.make<ops::random_fold_in>({key, whole_of(b, std::stoll(data))});
    return key;
  }
  if (r.op == "bits") return b.make<ops::random_bits>({key}, asked);
  if (r.op == "uniform") return b.make<ops::random_uniform>({key}, asked);
  if (r.op == "uniform_in") return b.make<ops::random_uniform>({key, real("low"), real("high")}, asked);
  if (r.op == "normal") return b.make<ops::random_normal>({key}, asked);
  if (r.op == "exponential") return b.make<ops::random_exponential>({key}, asked);
  if (r.op == "gumbel") return b.make<ops::random_gumbel>({key}, asked);
  if (r.op == "laplace") return b.make<ops::random_laplace>({key}, asked);
  if (r.op == "truncated_normal") return b.make<ops::random_truncated_normal>({key, real("low"), real("high")}, asked);
  if (r.op == "randint")
    return b.make<ops::random_integers>({key, whole_of(b, r.whole("low")), whole_of(b, r.whole("high"))}, asked);
  if (r.op == "bernoulli")
    return b.make<ops::random_bernoulli>({key, ts::number(b, r.number("p"), element_of_name(r.given.at("of")))}, asked);
  if (r.op == "gamma") return b.make<ops::random_gamma>({key, spread(real("a"))}, asked);
  if (r.op == "beta") return b.make<ops::random_beta>({key, real("a"), real("b")}, asked);
  if (r.op == "permutation") return b.make<ops::random_permutation>({key}, asked);
  if (r.op == "categorical")
    return b.make<ops::random_categorical>({key, ramp(extents_of(r.given.at("logits")), r.number("scale"))});
  if (r.op == "categorical_of_shape")
    return b.make<ops::random_categorical>({key, ramp(extents_of(r.given.at("logits")), r.number("scale"))}, asked);
  if (!r.given.contains("n")) return program_with_parameters(b, key, r);
  ts::term const from = b.emit<ops::iota>({}, ts::iota_params{dtype::int32, 0, {r.whole("n")}});
  if (r.op == "choice") return b.make<ops::random_choice>({key, from}, ops::choice_params{r.shape});
  if (r.op == "choice_once")
    return b.make<ops::random_choice>({key, from}, ops::choice_params{r.shape, ops::choosing::each_once});
  if (r.op == "choice_weighted") {
    ts::term const weights = b.make<ops::multiply>(
        {b.make<ops::add>({ts::detail::cast_to_element(b, from, dtype::float32), ts::number(b, 1.0, dtype::float32)}),
         ts::number(b, r.number("scale"), dtype::float32)});
    return b.make<ops::random_choice>({key, from, weights}, ops::choice_params{r.shape, ops::choosing::by_weight});
  }
  return {&b, -1};
}

// The bytes of the result, row-major, on one device.
std::vector<std::byte> run(recorded const& r) {
  ts::builder b;
  b.recorded.mesh = ts::testing::detail::small_mesh(1, 1);
  ts::array_value facts;
  facts.element = dtype::uint32;
  facts.add_dim(2);
  ts::term const key = b.argument(ts::info<ts::ops::argument>, facts);
  ts::term const y = program_of(b, key, r);
  if (!y) return {};
  b.recorded.outputs.push_back(y.id);
  ts::testing::dense_array const data{{2}, {static_cast<double>(r.key[0]), static_cast<double>(r.key[1])}};
  std::vector<ts::stored_array> in;
  in.push_back(ts::testing::detail::place(data, facts, b.recorded.mesh));
  auto const results = ts::detail::run_time_program(b.recorded).program(in);
  std::vector<std::byte> bytes(static_cast<std::size_t>(y.facts().size() * ts::bytes_of(y.facts().element)));
  EXPECT_EQ(y.facts().element, r.element) << r.text;
  EXPECT_EQ(y.facts().shape(), r.shape) << r.text;
  ts::detail::copy_bytes(bytes.data(), results[0].memory.data(), bytes.size(), false);
  return bytes;
}

std::uint64_t hash_of(std::vector<std::byte> const& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (auto byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}
double real_of(std::uint64_t bits, dtype element) {
  double value = 0;
  ts::detail::with_element(element, [&]<class T>(std::type_identity<T>) {
    std::byte bytes[16]{};
    std::memcpy(bytes, &bits, sizeof bits);
    value = ts::testing::detail::number_from<T>(bytes);
  });
  return value;
}
double epsilon_of(dtype element) {
  return element == dtype::float64   ? 0x1p-52
         : element == dtype::float32 ? 0x1p-23
         : element == dtype::float16 ? 0x1p-10
                                     : 0x1p-7;
}

// How far a number may lie from JAX's, in epsilons of its type, of the number itself or of `scale` where it is less; 0: equal bit
// for bit. XLA's elementary functions round otherwise, its multiply-adds may be fused, and those of 16 bits are done in 32.
struct bound {
  double epsilons = 0, scale = 0;
};
bound allowed(recorded const& r) {
  if (!ts::is_floating(r.element) || r.op == "uniform") return {};
  bool const wide = r.element == dtype::float64, small = ts::bytes_of(r.element) == 2;
  if (r.op == "uniform_in") return {1, std::max(std::abs(r.number("low")), std::abs(r.number("high")))};
  if (r.op == "normal") return {wide ? 40.0 : 3.0, 0};
  if (r.op == "exponential" || r.op == "laplace") return {wide ? 100.0 : 2.0, 0};
  if (r.op == "gumbel") return {2, 1};
  if (r.op == "truncated_normal") return {small ? 5.0 : 100.0, 1};  // in a tail, roundings count more
  if (r.op == "loggamma" || r.op == "logistic") return {wide ? 100.0 : 4.0, 1};
  // JAX's series of a great shape adds up hundreds of numbers.
  if (r.op == "gamma_slope" || r.op == "loggamma_slope") return {wide ? 400.0 : 200.0, 1};
  bool const by_gamma = r.op == "gamma" || r.op == "beta" || r.op == "f" || r.op == "chisquare";
  return {by_gamma || r.op == "wald" ? 32.0 : 8.0, 1};
}

TEST(recorded, as_jax) {
  auto const cases = all_cases();
  EXPECT_GE(cases.size(), 500u);
  std::map<std::string, double> worst;
  for (auto const& r : cases) {
    auto const bytes = run(r);
    auto const width = static_cast<std::size_t>(ts::bytes_of(r.element));
    ASSERT_EQ(bytes.size(), r.count * width) << r.text;
    bound const far = allowed(r);
    if (far.epsilons == 0) {
      EXPECT_EQ(hash_of(bytes), r.hash) << r.text;
      continue;
    }
    std::size_t const step = std::max<std::size_t>(1, (r.count + 23) / 24);
    for (std::size_t k = 0; k < r.some.size(); ++k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + k * step * width, width);
      double const ours = real_of(bits, r.element), want = real_of(r.some[k], r.element);
      double const unit = epsilon_of(r.element) * std::max(std::abs(want), far.scale);
      double const apart = ours == want ? 0 : std::abs(ours - want) / unit;
      EXPECT_LE(apart, far.epsilons) << r.text << ours << " where JAX has " << want;
      auto& most = worst[r.op + " " + std::string(ts::name_of(r.element))];
      most = std::max(most, apart);
    }
  }
  for (auto const& [name, apart] : worst) RecordProperty(name, std::to_string(apart));
  if (std::getenv("TESSERA_NIGHTLY"))
    for (auto const& [name, apart] : worst) std::printf("%s: %.2f epsilons\n", name.c_str(), apart);
}

}  // namespace
