// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cases observed in JAX, run through the value-level builder: what our rules say of the same program.
// tests/conformance/README.md says what a case holds.

#include "support/json.hpp"

#include <tessera/aval/describe.hpp>
#include <tessera/graph/builder.hpp>
#include <tessera/op/literal.hpp>
#include <tessera/rule/spec.hpp>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace conformance {

using namespace tessera;

struct not_covered {
  std::string why;
};

inline mesh_value mesh_of(json::value const& axes) {
  mesh_value mesh;
  for (auto const& axis : axes.items) {
    auto const at = static_cast<std::size_t>(mesh.rank++);
    mesh.names[at] = axis[0].text;
    mesh.sizes[at] = axis[1].integer();
    mesh.kinds[at] = axis[2].text == "explicit" ? axis_kind::explicit_
                     : axis[2].text == "auto"   ? axis_kind::automatic
                                                : axis_kind::manual;
  }
  return mesh;
}

// An axis that the mesh does not have gets the position behind its last, as in a typed spec.
inline int axis_of(std::string const& name, mesh_value const& mesh) {
  for (int a = 0; a < mesh.rank; ++a)
    if (mesh.name(a) == name) return a;
  return mesh.rank;
}

inline spec_value spec_of(json::value const& written, mesh_value const& mesh) {
  spec_value spec;
  auto const& entries = written.has("spec") ? written["spec"] : written;
  for (auto const& part : entries.items) {
    entry_value entry;
    if (part.is == json::value::kind::text) entry.append(axis_of(part.text, mesh));
    for (auto const& name : part.items) entry.append(axis_of(name.text, mesh));
    spec.entries[static_cast<std::size_t>(spec.rank++)] = entry;
  }
  for (auto const& name : written["unreduced"].items) spec.unreduced |= axis_set::of(axis_of(name.text, mesh));
  for (auto const& name : written["reduced"].items) spec.reduced |= axis_set::of(axis_of(name.text, mesh));
  return spec;
}

inline dtype dtype_named(std::string const& name) {
  for (int d = 0; d <= static_cast<int>(dtype::float64); ++d)
    if (name_of(static_cast<dtype>(d)) == name) return static_cast<dtype>(d);
  throw not_covered{"dtype " + name};
}

// The kinds of JAX's errors that one of our reasons stands for.
inline std::set<std::string> kinds_of(reason why) {
  switch (why) {
    case reason::axis_used_twice: return {"duplicate_axis"};
    case reason::axis_not_in_mesh: return {"unknown_axis"};
    case reason::spec_too_long: return {"rank_mismatch"};
    case reason::not_divisible: return {"indivisible"};
    case reason::auto_axis_named: return {"auto_axis_in_spec"};
    case reason::dims_disagree: return {"conflict"};
    case reason::needs_out_sharding: return {"needs_out_sharding"};
    case reason::ambiguous_reshape: return {"ambiguous_reshape"};
    case reason::sharded_dim_unsupported: return {"sharded_dim_unsupported"};
    case reason::unreduced_operand: return {"unreduced_conflict", "unreduced_not_supported"};
    case reason::axis_not_auto: return {"wsc_axis_type"};
    case reason::constraint_differs: return {"wsc_mismatch"};
    case reason::shapes_disagree:
    case reason::ranks_disagree:
    case reason::dim_out_of_range:
    case reason::index_out_of_range:
    case reason::elements_disagree: return {"shape_error"};
    default: return {};
  }
}

// One statement: its operands as terms, its parameters.
struct call {
  builder& b;
  std::vector<term> x;
  json::value const& params;

  std::vector<std::int64_t> numbers(char const* name) const {
    std::vector<std::int64_t> list;
    auto const& given = params[name];
    if (given.is == json::value::kind::number) list.push_back(given.integer());
    for (auto const& item : given.items) list.push_back(item.integer());
    return list;
  }
  extents_list extents(char const* name) const {
    extents_list list;
    for (auto n : numbers(name)) list.push_back(n);
    return list;
  }
  std::int64_t number(char const* name, std::int64_t otherwise = 0) const {
    return params[name].null() ? otherwise : params[name].integer();
  }
  void set_out(attributes& attrs, char const* name = "out_sharding") const {
    if (!params.has(name) || params[name].null()) return;
    attrs.has_out = true;
    attrs.out = spec_of(params[name], b.mesh());
  }
  template <class Op>
  std::vector<term> make(attributes const& attrs = {}) const {
    return {b.make<Op>(x.data(), static_cast<int>(x.size()), attrs)};
  }
};

using operation = std::function<std::vector<term>(call&)>;
using operation_table = std::map<std::string, operation>;

struct outcome {
  std::string ours;  // the results' type texts, or "error: <kind>"
  bool agrees = false;
};

class run {
public:
  run(json::value const& test, operation_table const& table) : test_(test), table_(table) {
    b_.recorded.mesh = mesh_of(test["mesh"]);
  }
  outcome operator()() {
    for (auto const& input : test_["inputs"].items)
      if (verdict const v = argument(input); !v) return refused(v.why);
    for (auto const& statement : test_["body"].items) {
      execute(statement);
      if (b_.refused.what.why != reason::none) return refused(b_.refused.what.why);
    }
    outcome result;
    auto const& types = test_["expect"]["types"];
    result.agrees = types.size() == test_["outs"].size();
    for (std::size_t i = 0; i < test_["outs"].size(); ++i) {
      auto const text = describe(values_.at(test_["outs"][i].text).facts(), b_.mesh());
      result.ours += (i ? " " : "") + text;
      result.agrees = result.agrees && i < types.size() && text == types[i]["str"].text;
    }
    return result;
  }

private:
  outcome refused(reason why) const {
    auto const kinds = kinds_of(why);
    auto const& expected = test_["expect"]["error"].text;
    outcome result;
    result.ours = "error: " + (kinds.count(expected) ? expected : kinds.empty() ? "?" : *kinds.begin());
    result.agrees = kinds.count(expected) != 0;
    return result;
  }
  verdict argument(json::value const& input) {
    array_value facts;
    facts.element = dtype_named(input["dtype"].text);
    for (auto const& extent : input["shape"].items) facts.add_dim(extent.integer());
    verdict const v = rule::with_spec(facts, spec_of(input["spec"], b_.mesh()), b_.mesh(), true);
    if (v) values_[input["name"].text] = b_.argument(info<ops::argument>, v.result);
    return v;
  }
  void collect(json::value const& arg, std::vector<term>& list) {
    if (arg.is == json::value::kind::text) {
      list.push_back(values_.at(arg.text));
    } else if (arg.is == json::value::kind::list) {
      for (auto const& item : arg.items) collect(item, list);
    } else {
      attributes attrs;
      attrs.first.push_back(1);
      if (arg.is == json::value::kind::boolean) {
        attrs.element = dtype::boolean;
        attrs.integer = arg.flag;
      } else if (arg.whole) {
        attrs.element = dtype::int32;
        attrs.integer = arg.integer();
      } else {
        attrs.number = arg.number;
      }
      list.push_back(b_.emit<ops::literal>({}, attrs));
    }
  }
  void execute(json::value const& statement) {
    auto const& name = statement[1].text;
    auto const found = table_.find(name);
    if (found == table_.end()) throw not_covered{name};
    static json::value const none;
    call c{b_, {}, statement.size() > 3 ? statement[3] : none};
    collect(statement[2], c.x);
    auto const results = found->second(c);
    if (statement[0].is == json::value::kind::text) {
      values_[statement[0].text] = results.at(0);
    } else {
      for (std::size_t i = 0; i < statement[0].size() && i < results.size(); ++i)
        values_[statement[0][i].text] = results[i];
    }
  }

  json::value const& test_;
  operation_table const& table_;
  builder b_;
  std::map<std::string, term> values_;
};

inline std::vector<json::value> cases_in(std::string const& file) {
  std::ifstream in(std::string(TESSERA_SOURCE_DIR) + "/tests/conformance/" + file);
  if (!in) throw std::runtime_error("no file tests/conformance/" + file);
  std::vector<json::value> cases;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) cases.push_back(json::parse(line));
  return cases;
}

}  // namespace conformance
