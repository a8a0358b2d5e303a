// SPDX-License-Identifier: Apache-2.0
#pragma once
// jax.numpy / jax.lax names of what moves, reshapes and creates, as our ops.

#include "support/conformance.hpp"

#include <tessera/op/concatenate.hpp>
#include <tessera/op/fill.hpp>
#include <tessera/op/iota.hpp>
#include <tessera/op/pad.hpp>
#include <tessera/op/permute.hpp>
#include <tessera/op/reshard.hpp>
#include <tessera/op/slice.hpp>
#include <tessera/op/tile.hpp>
#include <tessera/op/update_slice.hpp>
#include <tessera/op/where.hpp>

#include <algorithm>

namespace conformance {

inline void add_creation(operation_table& table) {
  auto const filled = [](std::int64_t number) {
    return [number](call& c) {
      attributes attrs;
      attrs.second = c.extents("shape");
      attrs.element = dtype_named(c.params["dtype"].text);
      attrs.number = c.params.has("value") ? c.params["value"].number : static_cast<double>(number);
      c.set_out(attrs);
      return c.make<ops::full>(attrs);
    };
  };
  table["zeros"] = filled(0);
  table["ones"] = filled(1);
  table["full"] = filled(0);
  table["zeros_like"] = table["ones_like"] = table["full_like"] = [](call& c) { return c.make<ops::full_like>(); };
  table["iota"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("shape");
    attrs.integer = c.number("dimension");
    attrs.element = dtype_named(c.params["dtype"].text);
    c.set_out(attrs);
    return c.make<ops::iota>(attrs);
  };
  table["arange"] = [](call& c) {
    attributes attrs;
    attrs.first = {c.number("n")};
    attrs.second = {0, 1};
    attrs.element = dtype_named(c.params["dtype"].text);
    c.set_out(attrs);
    return c.make<ops::arange>(attrs);
  };
}

inline void add_movement(operation_table& table) {
  table["reshape"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("shape");
    c.set_out(attrs);
    return c.make<ops::reshape>(attrs);
  };
  table["ravel"] = [](call& c) {
    attributes attrs;
    attrs.first = {infer};
    c.set_out(attrs);
    return c.make<ops::reshape>(attrs);
  };
  table["broadcast_to"] = [](call& c) {
    attributes attrs;
    attrs.second = c.extents("shape");
    c.set_out(attrs);
    return c.make<ops::broadcast_to>(attrs);
  };
  table["broadcast_in_dim"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("dims");
    attrs.second = c.extents("shape");
    c.set_out(attrs);
    return c.make<ops::broadcast_to>(attrs);
  };
  table["expand_dims"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("axis");
    return c.make<ops::expand_dims>(attrs);
  };
  table["squeeze"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("axis");
    attrs.integer = attrs.first.empty();
    return c.make<ops::squeeze>(attrs);
  };
  table["transpose"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("perm");
    return c.make<ops::permute>(attrs);
  };
  table["swapaxes"] = [](call& c) {
    attributes attrs;
    attrs.second = {c.number("a"), c.number("b")};
    attrs.integer = static_cast<std::int64_t>(ops::permute::order::swap);
    return c.make<ops::permute>(attrs);
  };
  table["flip"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("axis");
    return c.make<ops::flip>(attrs);
  };
  table["tile"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("reps");
    return c.make<ops::tile>(attrs);
  };
  table["reshard"] = [](call& c) {
    attributes attrs;
    c.set_out(attrs, "spec");
    return c.make<ops::reshard>(attrs);
  };
  table["wsc"] = [](call& c) {
    attributes attrs;
    c.set_out(attrs, "spec");
    return c.make<ops::with_sharding_constraint>(attrs);
  };
  table["moveaxis"] = [](call& c) {
    auto const from = c.numbers("src"), to = c.numbers("dst");
    int const rank = c.x[0].facts().rank;
    auto const at = [rank](std::int64_t d) { return d < 0 ? d + rank : d; };
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank), -1);
    for (std::size_t i = 0; i < from.size(); ++i) order[static_cast<std::size_t>(at(to[i]))] = at(from[i]);
    std::int64_t next = 0;
    for (auto& place : order) {
      if (place >= 0) continue;
      while (std::any_of(from.begin(), from.end(), [&](auto d) { return at(d) == next; })) ++next;
      place = next++;
    }
    attributes attrs;
    for (auto d : order) attrs.first.push_back(d);
    return c.make<ops::permute>(attrs);
  };
  table["where"] = [](call& c) { return c.make<ops::where>(); };
  // lax.select is the primitive: no promotion, no broadcasting.
  table["select"] = [](call& c) { return std::vector<term>{c.b.emit(info<ops::where>, {c.x[0], c.x[1], c.x[2]})}; };
}

inline attributes one_dim(std::int64_t dim, std::int64_t start, std::int64_t limit, std::int64_t stride = 1) {
  attributes attrs;
  attrs.integer = dim < 0 ? dim : dim + 1;
  attrs.first = {start};
  attrs.second = {limit};
  attrs.third = {stride};
  return attrs;
}

inline std::vector<term> parts(call& c, std::vector<std::int64_t> const& bounds, std::int64_t axis) {
  std::vector<term> list;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    list.push_back(c.b.make<ops::slice>({c.x[0]}, one_dim(axis, bounds[i], bounds[i + 1])));
  return list;
}

// x[...] of static integers, slices, "..." and "newaxis".
inline std::vector<term> indexed(call& c) {
  if (c.x.size() > 1) throw not_covered{"index by an array"};
  term x = c.x[0];
  attributes gone, fresh;
  int d = 0, out = 0;
  for (auto const& part : c.params["index"].items) {
    if (part.is == json::value::kind::text && part.text == "...") {
      int used = 0;
      for (auto const& other : c.params["index"].items)
        if (other.is != json::value::kind::text) ++used;
      int const skip = x.facts().rank - used;
      d += skip;
      out += skip;
    } else if (part.is == json::value::kind::text) {
      fresh.first.push_back(out++);
    } else if (part.is == json::value::kind::number) {
      auto const at = part.integer() < 0 ? part.integer() + x.facts().extent(d) : part.integer();
      x = c.b.make<ops::slice>({x}, one_dim(d, at, at + 1));
      gone.first.push_back(d++);
    } else {
      auto const step = part[2].null() ? 1 : part[2].integer();
      attributes turned;
      turned.first = {d};
      if (step < 0)
        x = c.b.make<ops::flip>({x}, turned);
      else if (x)
        x = c.b.make<ops::slice>({x}, one_dim(d, part[0].null() ? 0 : part[0].integer(),
                                              part[1].null() ? x.facts().extent(d) : part[1].integer(), step));
      ++d;
      ++out;
    }
    if (!x) return {x};
  }
  if (!gone.first.empty()) x = c.b.make<ops::squeeze>({x}, gone);
  if (x && !fresh.first.empty()) x = c.b.make<ops::expand_dims>({x}, fresh);
  return {x};
}

inline void add_slicing(operation_table& table) {
  table["slice"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("start");
    attrs.second = c.extents("limit");
    attrs.third = c.extents("strides");
    return c.make<ops::slice>(attrs);
  };
  table["dynamic_slice"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("starts");
    auto const sizes = c.extents("sizes");
    for (int d = 0; d < sizes.size(); ++d) attrs.second.push_back(attrs.first[d] + sizes[d]);
    return c.make<ops::slice>(attrs);
  };
  table["dynamic_update_slice"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("starts");
    return c.make<ops::update_slice>(attrs);
  };
  table["index"] = indexed;
  table["dynamic_index"] = [](call& c) {  // its type does not depend on where
    auto const axis = c.number("axis");
    term const one = c.b.make<ops::slice>({c.x[0]}, one_dim(axis, 0, 1));
    if (!one || c.params["keepdims"].null() || c.params["keepdims"].flag) return std::vector<term>{one};
    attributes gone;
    gone.first = {axis};
    return std::vector<term>{c.b.make<ops::squeeze>({one}, gone)};
  };
  table["split"] = [](call& c) {
    auto const axis = c.number("axis");
    auto const n = c.x[0].facts().extent(static_cast<int>(axis));
    std::vector<std::int64_t> bounds{0};
    if (c.params["n"].is == json::value::kind::list)
      for (auto at : c.numbers("n")) bounds.push_back(at);
    else
      for (std::int64_t i = 1; i < c.number("n"); ++i) bounds.push_back(i * n / c.number("n"));
    bounds.push_back(n);
    return parts(c, bounds, axis);
  };
  table["lax_split"] = [](call& c) {
    std::vector<std::int64_t> bounds{0};
    for (auto size : c.numbers("sizes")) bounds.push_back(bounds.back() + size);
    return parts(c, bounds, c.number("axis"));
  };
  table["pad"] = [](call& c) {
    attributes attrs;
    for (auto const& dim : c.params["config"].items) {
      attrs.first.push_back(dim[0].integer());
      attrs.second.push_back(dim[1].integer());
      attrs.third.push_back(dim[2].integer());
    }
    c.x.push_back(number(c.b, 0.0));
    return c.make<ops::pad>(attrs);
  };
  table["concatenate"] = [](call& c) {
    attributes attrs;
    attrs.integer = c.number("axis");
    return c.make<ops::concatenate>(attrs);
  };
  table["stack"] = [](call& c) {
    attributes attrs;
    attrs.integer = c.number("axis");
    return c.make<ops::stack>(attrs);
  };
}

}  // namespace conformance
