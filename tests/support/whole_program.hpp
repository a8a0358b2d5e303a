// SPDX-License-Identifier: Apache-2.0
#pragma once
// A global graph evaluated on whole arrays by the oracle, and its plan run on a mesh: what must agree.

#include <tessera/exec/run/executable.hpp>
#include <tessera/plan/make/make_plan.hpp>
#include <tessera/testing/placement.hpp>

#include "support/near.hpp"
#include "support/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace support {

inline oracle::ints list_of(tessera::extents_list const& list) { return {list.begin(), list.end()}; }
inline oracle::ints extents_of(tessera::array_value const& v) {
  return {v.extents.begin(), v.extents.begin() + v.rank};
}

// f(line), which changes it, for each line along the dimension, maybe from its end.
template <class F>
oracle::tensor along(oracle::tensor x, tessera::attributes const& attrs, F f) {
  auto const [dim, reverse] = attrs.as<tessera::ops::along_one_params>();
  auto const d = static_cast<std::size_t>(oracle::dim_from_front(dim, x.rank()));
  oracle::ints starts = x.extents;
  starts[d] = 1;
  std::vector<double> line(static_cast<std::size_t>(x.extents[d]));
  auto const turned = [&, back = reverse] {
    if (back) std::reverse(line.begin(), line.end());
  };
  oracle::for_each_index(starts, [&](oracle::ints at) {
    for (double& v : line) v = x[at], ++at[d];
    turned();
    f(line);
    turned();
    at[d] = 0;
    for (double v : line) x[at] = v, ++at[d];
  });
  return x;
}

// A gather of whole slices at the places of one index array.
inline oracle::tensor rows(tessera::node const& n, oracle::tensor const& x, oracle::tensor const& places) {
  auto const d = static_cast<std::size_t>(n.attrs.as<tessera::indexing_params>().indexed[0]);
  return oracle::generate(extents_of(n.facts), [&](oracle::ints at) {
    at[d] = static_cast<std::int64_t>(places.data[at[d]]);
    return x[at];
  });
}

// One node from its operands, all whole.
inline oracle::tensor whole_value(tessera::node const& n, std::vector<oracle::tensor> const& x) {
  namespace ts = tessera;
  auto const& a = n.attrs;
  using unary = double (*)(double);
  static std::map<std::string_view, unary> const functions{
      {"negative", [](double v) { return -v; }},
      {"exp", [](double v) { return std::exp(v); }},
      {"tanh", [](double v) { return std::tanh(v); }},
      {"log", [](double v) { return std::log(v); }},
      {"sqrt", [](double v) { return std::sqrt(v); }},
      {"square", [](double v) { return v * v; }},
      {"rsqrt", [](double v) { return 1 / std::sqrt(v); }},
      {"abs", [](double v) { return std::fabs(v); }},
      {"sign", [](double v) { return v > 0   ? 1.0
                                     : v < 0 ? -1.0
                                             : v; }},
      {"reciprocal", [](double v) { return 1 / v; }},
      {"stop_gradient", [](double v) { return v; }}};
  using binary = oracle::tensor (*)(oracle::tensor const&, oracle::tensor const&);
  static std::map<std::string_view, binary> const pairs{{"add", oracle::add},
                                                        {"subtract", oracle::subtract},
                                                        {"multiply", oracle::multiply},
                                                        {"divide", oracle::divide},
                                                        {"maximum", oracle::maximum},
                                                        {"minimum", oracle::minimum},
                                                        {"greater", oracle::greater},
                                                        {"less", oracle::less},
                                                        {"equal", oracle::equal},
                                                        {"remainder", oracle::remainder},
                                                        {"less_equal", oracle::less_equal},
                                                        {"greater_equal", oracle::greater_equal}};
  auto const shaped = [&](oracle::tensor const& t) { return oracle::broadcast_to(t, extents_of(n.facts)); };
  switch (n.op->kind) {
    case ts::op_class::literal: {
      auto const& l = a.as<ts::literal_params>();
      return oracle::tensor(ts::is_inexact(l.element) ? l.number : static_cast<double>(l.integer));
    }
    case ts::op_class::iota: return oracle::iota(extents_of(n.facts), a.as<ts::iota_params>().dim);
    case ts::op_class::elementwise:
      if (n.op->name == "where") return shaped(oracle::where(x[0], x[1], x[2]));
      if (n.op->name == "astype") return x[0];  // test values are exact in every type they are cast to
      if (auto const f = functions.find(n.op->name); f != functions.end()) return oracle::map(x[0], f->second);
      if (auto const f = pairs.find(n.op->name); f != pairs.end()) return shaped(f->second(x[0], x[1]));
      break;
    case ts::op_class::reduce: {
      auto const dims = list_of(a.as<ts::reduce_params>().dims);
      if (n.op->name == "sum") return oracle::sum(x[0], dims);
      if (n.op->name == "max") return oracle::max(x[0], dims);
      if (n.op->name == "min") return oracle::min(x[0], dims);
      if (n.op->name == "prod") return oracle::prod(x[0], dims);
      break;
    }
    case ts::op_class::dot: {
      auto const& dims = a.as<ts::dot_params>();
      return oracle::dot_general(x[0], x[1],
                                 {list_of(dims.lhs_contracting), list_of(dims.rhs_contracting), list_of(dims.lhs_batch),
                                  list_of(dims.rhs_batch)});
    }
    case ts::op_class::broadcast: {
      oracle::ints kept(extents_of(n.facts).size(), 1);
      auto const& dims = a.as<ts::broadcast_params>().dims;
      for (int i = 0; i < dims.size(); ++i) kept[dims[i]] = x[0].extents[i];
      return shaped(oracle::reshape(x[0], kept));
    }
    case ts::op_class::permute: return oracle::transpose(x[0], list_of(a.as<ts::permute_params>().order));
    case ts::op_class::reshape: return oracle::reshape(x[0], extents_of(n.facts));
    case ts::op_class::slice: {
      auto const& part = a.as<ts::slice_params>();
      if (n.op->name == "flip") {
        oracle::ints turned;
        for (int d = 0; d < part.stride.size(); ++d)
          if (part.stride[d] < 0) turned.push_back(d);
        return oracle::flip(x[0], turned);
      }
      return oracle::slice(x[0], list_of(part.start), list_of(part.limit), list_of(part.stride));
    }
    case ts::op_class::roll: {
      auto const [along, places] = a.as<ts::ops::rotate_params>();
      oracle::ints const whole = x[0].extents, none(whole.size(), 0);
      auto const d = static_cast<std::size_t>(along.at);
      oracle::ints from = none, to = whole;
      from[d] = to[d] = whole[d] - places;
      return oracle::concatenate({oracle::slice(x[0], from, whole), oracle::slice(x[0], none, to)}, along.at);
    }
    case ts::op_class::concatenate: return oracle::concatenate(x, a.as<ts::concatenate_params>().dim);
    case ts::op_class::pad: {
      auto const& by = a.as<ts::pad_params>();
      return oracle::pad(x[0], x[1].item(), list_of(by.low), list_of(by.high), list_of(by.interior));
    }
    case ts::op_class::update_slice:
      return oracle::update_slice(x[0], x[1], list_of(a.as<ts::update_slice_params>().start));
    case ts::op_class::opaque:
      if (n.op->name == "sort")
        return along(x[0], a, [](std::vector<double>& line) {
          std::sort(line.begin(), line.end(),
                    [](double u, double v) { return u < v || (std::isnan(v) && !std::isnan(u)); });
        });
      if (n.op->name == "cumsum")
        return along(x[0], a, [](std::vector<double>& line) {
          for (std::size_t i = 1; i < line.size(); ++i) line[i] += line[i - 1];
        });
      if (n.op->name == "cummax")
        return along(x[0], a, [](std::vector<double>& line) {
          for (std::size_t i = 1; i < line.size(); ++i) line[i] = std::fmax(line[i - 1], line[i]);
        });
      break;
    case ts::op_class::gather: return rows(n, x[0], x[1]);
    case ts::op_class::reshard:
    case ts::op_class::identity: return x[0];
    default: break;
  }
  throw std::invalid_argument("whole_value: " + std::string(n.op->name));
}

inline std::vector<oracle::tensor> whole_program(tessera::graph_view g, std::vector<oracle::tensor> const& arguments) {
  std::vector<oracle::tensor> values(static_cast<std::size_t>(g.node_count));
  for (int i = 0; i < g.input_count; ++i) values[g.inputs[i]] = arguments[i];
  for (int id = 0; id < g.node_count; ++id) {
    if (g[id].op->kind == tessera::op_class::argument) continue;
    std::vector<oracle::tensor> x;
    for (int k = 0; k < g[id].operand_count; ++k) x.push_back(values[g.operand(id, k)]);
    oracle::tensor value = whole_value(g[id], x);
    if (g[id].facts.element == tessera::dtype::float32)  // or what is equal in floats would not be here
      for (double& v : value.data) v = static_cast<float>(v);
    values[id] = std::move(value);
  }
  std::vector<oracle::tensor> outputs;
  for (int i = 0; i < g.output_count; ++i) outputs.push_back(values[g.outputs[i]]);
  return outputs;
}

// A value's storage, one block for each distinct one, as raw bytes; f(element address, its number in the whole, device)
// for each element of each device that the value has.
template <class F>
void for_each_element(tessera::array_value const& global, tessera::array_value const& local,
                      tessera::mesh_value const& mesh, std::vector<std::byte>& storage, F f) {
  tessera::testing::placement const where(global, mesh, local.varying);
  if (storage.size() < static_cast<std::size_t>(where.stored_bytes())) throw std::logic_error("no room for all blocks");
  auto const size = static_cast<std::int64_t>(tessera::bytes_of(local.element));
  where.each([&](std::int64_t device, std::int64_t element, std::int64_t position) {
    f(storage.data() + position * size, static_cast<std::size_t>(element), device);
  });
}

inline void put(std::byte* at, tessera::dtype element, double value) {
  tessera::detail::with_element(element, [&]<class T>(std::type_identity<T>) {
    T const stored = static_cast<T>(static_cast<tessera::detail::register_of<T>>(value));
    std::memcpy(at, &stored, sizeof(T));
  });
}
inline double get(std::byte const* at, tessera::dtype element) {
  return tessera::detail::with_element(element, [&]<class T>(std::type_identity<T>) {
    T stored{};
    std::memcpy(&stored, at, sizeof(T));
    return static_cast<double>(tessera::detail::real_part(static_cast<tessera::detail::register_of<T>>(stored)));
  });
}

// Which term of a sum over `axes` a device holds: axes of a mesh are counted as coordinates are, the last one fastest.
inline std::int64_t term_of(std::int64_t device, tessera::mesh_value const& mesh, tessera::axis_set axes) {
  std::int64_t term = 0;
  for (std::int64_t a = mesh.rank - 1, step = 1; a >= 0; --a) {
    auto const size = mesh.size(static_cast<int>(a));
    if (axes.contains(static_cast<int>(a))) {
      term += device % size * step;
      step *= size;
    }
    device /= size;
  }
  return term;
}

// Arguments put on the mesh, the plan run, results taken back: each must be the same on all devices that hold it. Of
// an argument that is partial sums the first term is all; partial sums are added up.
inline std::vector<oracle::tensor> run_plan(tessera::plan_view const& plan, tessera::graph_view global,
                                            std::vector<oracle::tensor> const& arguments) {
  namespace ts = tessera;
  ts::mesh_value const& mesh = *global.mesh;
  std::vector<std::vector<std::byte>> in, out;
  auto const reserve = [&](std::vector<std::vector<std::byte>>& list, int local) {
    list.emplace_back(static_cast<std::size_t>(ts::storage_bytes(plan.local[local].facts, mesh)), std::byte{0x7f});
  };
  for (int i = 0; i < global.input_count; ++i) {
    reserve(in, plan.local.inputs[i]);
    auto const& facts = global[global.inputs[i]].facts;
    for_each_element(facts, plan.local[plan.local.inputs[i]].facts, mesh, in.back(),
                     [&](std::byte* at, std::size_t element, std::int64_t device) {
                       bool const first = term_of(device, mesh, facts.unreduced) == 0;
                       put(at, facts.element, first ? arguments[i].data[element] : 0);
                     });
  }
  for (int i = 0; i < global.output_count; ++i) reserve(out, plan.local.outputs[i]);
  call_near(ts::executable(plan), {in.begin(), in.end()}, {out.begin(), out.end()});
  std::vector<oracle::tensor> results;
  for (int i = 0; i < global.output_count; ++i) {
    auto const& facts = global[global.outputs[i]].facts;
    oracle::tensor whole = oracle::zeros(extents_of(facts));
    std::vector<int> seen(whole.data.size(), 0);
    auto const parts = mesh.devices(facts.unreduced);
    std::vector<std::vector<double>> sums(whole.data.size());
    for_each_element(facts, plan.local[plan.local.outputs[i]].facts, mesh, out[i],
                     [&](std::byte* at, std::size_t o, std::int64_t device) {
                       double const v = get(at, facts.element);
                       auto const part = term_of(device, mesh, facts.unreduced);
                       sums[o].resize(static_cast<std::size_t>(parts), NAN);
                       double& slot = sums[o][part];
                       if (!std::isnan(slot) && slot != v && !std::isnan(v)) throw std::logic_error("devices disagree");
                       slot = v;
                       ++seen[o];
                     });
    for (std::size_t o = 0; o < sums.size(); ++o)
      for (double v : sums[o]) whole.data[o] += v;
    results.push_back(whole);
  }
  return results;
}

}  // namespace support
