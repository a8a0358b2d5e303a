// SPDX-License-Identifier: Apache-2.0
#pragma once
// All parameters of an operation as text, the same in every process: its literals, dimensions and tables.

#include <tessera/rule/device_groups.hpp>
#include <tessera/rule/ring.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera::detail {

// A number with as many digits as tell it from any other.
inline std::string all_digits(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

class params_writer {
public:
  // For example " 0.5 as=float32 weak=0 fits=1 form=0".
  TESSERA_COLD std::string text(attributes const& attrs, collective message) {
    message_ = message;
    write(attrs);
    return std::move(text_);
  }

private:
  // Binds all members in order, so that a parameter struct with a new member does not compile until it is written here.
  void write(attributes const& attrs) {
    switch (attrs.kind()) {
      case params_kind::none: return;
      case params_kind::argument: {
        auto const& [role, element, position] = attrs.as<argument_params>();
        return all("role", role, "as", element, "position", position);
      }
      case params_kind::refused: return;
      case params_kind::literal: {
        auto const& [element, weak, fits, form, number, integer] = attrs.as<literal_params>();
        if (is_inexact(element))
          say("", number);
        else
          say("", integer);
        return all("as", element, "weak", weak, "fits", fits, "form", form);
      }
      case params_kind::iota: {
        auto const& [element, dim, shape, split] = attrs.as<iota_params>();
        return all("as", element, "dim", dim, "shape", shape, "split", split);
      }
      case params_kind::cast: {
        auto const& [element, weak, role] = attrs.as<cast_params>();
        return all("as", element, "weak", weak, "role", role);
      }
      case params_kind::reduce: {
        auto const& [dims, keep] = attrs.as<reduce_params>();
        return all("dims", dims, "keep", keep);
      }
      case params_kind::dot: {
        auto const& [lhs, rhs, lhs_batch, rhs_batch, wide] = attrs.as<dot_params>();
        return all("lhs", lhs, "rhs", rhs, "lhs_batch", lhs_batch, "rhs_batch", rhs_batch, "wide", wide);
      }
      case params_kind::broadcast: {
        auto const& [dims, shape] = attrs.as<broadcast_params>();
        return all("dims", dims, "shape", shape);
      }
      case params_kind::permute: {
        auto const& [order] = attrs.as<permute_params>();
        return say("order", order);
      }
      case params_kind::reshape: {
        auto const& [shape] = attrs.as<reshape_params>();
        return say("shape", shape);
      }
      case params_kind::slice: {
        auto const& [start, limit, stride] = attrs.as<slice_params>();
        return all("start", start, "limit", limit, "stride", stride);
      }
      case params_kind::slice_in_dim: {
        auto const& [dim, start, limit, stride] = attrs.as<slice_in_dim_params>();
        return all("dim", dim, "start", start, "limit", limit, "stride", stride);
      }
      case params_kind::concatenate: {
        auto const& [dim] = attrs.as<concatenate_params>();
        return say("dim", dim);
      }
      case params_kind::pad: {
        auto const& [low, high, interior] = attrs.as<pad_params>();
        return all("low", low, "high", high, "interior", interior);
      }
      case params_kind::update_slice: {
        auto const& [start] = attrs.as<update_slice_params>();
        return say("start", start);
      }
      case params_kind::indexing: {
        auto const& [window, runs_along, indexed, mode] = attrs.as<indexing_params>();
        auto const& [fill, wrap, zeros, promised, refuse_known, check] = mode;
        all("window", window, "runs_along", runs_along, "indexed", indexed);
        all("fill", fill, "wrap", wrap, "zeros", zeros, "promised", promised);
        return all("known", refuse_known, "check", check);
      }
      case params_kind::shard_map: {
        auto const& [axes, again, as_it_is, unchecked] = attrs.as<shard_map_params>();
        return all("axes", axes, "again", again, "as_it_is", as_it_is, "unchecked", unchecked);
      }
      case params_kind::mesh_cast: {
        auto const& [axes] = attrs.as<mesh_cast_params>();
        return say("axes", axes);
      }
      case params_kind::collective: {
        auto const& [axes, order, unchecked, dim, concat_dim, table, fault, backwards, adds] =
            attrs.as<collective_params>();
        all("axes", axes, "order", order, "unchecked", unchecked, "dim", dim, "concat_dim", concat_dim);
        all("fault", fault, "backwards", backwards, "adds", adds);
        if (table == nullptr) return;
        if (message_ == collective::permute)
          return numbers("sources", table + 1 + (backwards ? table[0] : 0), table[0]);
        device_groups const groups{table};
        return numbers("groups", table,
                       device_groups::head + groups.count() + 1 + table[device_groups::head + groups.count()]);
      }
      case params_kind::exchange: {
        auto const& [from, to, groups, further] = attrs.as<exchange_params>();
        return all("from", from, "to", to, "groups", groups, "further", further);
      }
      case params_kind::result: {
        auto const& [which] = attrs.as<result_params>();
        return say("which", which);
      }
      case params_kind::loop: {
        auto const& [kind, carried, sliced, reverse, length, results, grid, batches] = attrs.as<loop_shape>();
        all("kind", kind, "carried", carried, "sliced", sliced, "reverse", reverse, "length", length, "results",
            results);
        if (grid != nullptr) of_grid(*grid);
        for (auto const& [extent, operands, entry] : batches) all("batch", extent, "of", operands, "over", entry);
        return;
      }
      case params_kind::effect: {
        auto const& [axes, extent, dim, text, checks] = attrs.as<effect_params>();
        all("axes", axes, "extent", extent, "dim", dim, "checks", checks);
        if (text != nullptr) numbers("text", text + 1, text[0]);
        return;
      }
      case params_kind::own: {
        auto const& own = attrs.packed();
        for (auto const& list : own.lists)
          if (!list.empty()) say("list", list);
        int count = packed_params::most_numbers;  // unused fields are 0
        while (count > 0 && own.numbers[count - 1] == 0) --count;
        return numbers("numbers", own.numbers, count);
      }
    }
  }

  void of_grid(grid_value const& grid) {
    numbers("grid", grid.extent, grid.rank);
    all("parallel", grid.parallel, "inputs", grid.inputs, "outputs", grid.outputs, "scratches", grid.scratches);
    for (int k = 0; k < grid.inputs + grid.outputs; ++k) {
      block_value const& b = grid.blocks[k];
      numbers("block", b.extent.items, b.rank);
      if (b.alias >= 0) say("alias", b.alias);
      if (b.summed) say("summed", true);
      for (int d = 0; d < b.rank; ++d) {
        all("squeezed", b.squeezed[d], "at", b.at[d].constant);
        if (b.by_element[d]) all("before", b.before[d], "behind", b.behind[d]);
        for (auto const& [dim, divided, modulo, times] : b.at[d].parts)
          all("dim", dim, "divided", divided, "modulo", modulo, "times", times);
        if (auto const& [value, constant, parts] = b.at[d].read; b.at[d].reads()) {
          all("table", value.dim, "divided", value.divided, "modulo", value.modulo, "times", value.times, "at",
              constant);
          for (auto const& [dim, divided, modulo, times] : parts)
            all("dim", dim, "divided", divided, "modulo", modulo, "times", times);
        }
      }
    }
  }

  template <class T, class... Rest>
  void all(std::string_view name, T const& value, Rest const&... rest) {
    say(name, value);
    if constexpr (sizeof...(rest) > 0) all(rest...);
  }
  template <class T>
  void say(std::string_view name, T const& value) {
    if constexpr (std::is_same_v<T, extents_list>) {
      numbers(name, value.items, value.size());
    } else {
      text_ += ' ';
      text_ += name;
      if (!name.empty()) text_ += '=';
      if constexpr (std::is_same_v<T, double>) {
        text_ += all_digits(value);
      } else if constexpr (std::is_same_v<T, dtype>) {
        text_ += name_of(value);
      } else if constexpr (std::is_same_v<T, axis_set>) {
        text_ += std::to_string(value.bits);
      } else if constexpr (std::is_same_v<T, entry_value>) {
        text_ += std::to_string(value.code);
      } else {
        text_ += std::to_string(static_cast<std::int64_t>(value));
      }
    }
  }
  template <class T>
  void numbers(std::string_view name, T const* of, int count) {
    text_ += ' ';
    text_ += name;
    text_ += "=(";
    for (int i = 0; i < count; ++i) {
      if (i > 0) text_ += ',';
      text_ += std::to_string(of[i]);
    }
    text_ += ')';
  }

  std::string text_;
  collective message_{};
};

}  // namespace tessera::detail
