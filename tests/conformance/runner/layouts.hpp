// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a generated program that asks sharding objects: where parts lie, which layouts are equal, where a mesh's
// devices stand. One JSON object a line; what is thrown is an answer, too.

#include <tessera/array/sharding_object.hpp>
#include <tessera/testing/placement.hpp>

#include "prelude.hpp"

#include <vector>

inline std::vector<ts::device> eight_devices() {
  std::vector<ts::device> all;
  for (int i = 0; i < 8; ++i) all.push_back({i});
  return all;
}
template <class M>
ts::device_mesh<M> mesh_in(std::vector<int> const& order) {
  return order.empty() ? ts::make_mesh<M>(eight_devices()) : ts::make_mesh<M>(eight_devices(), ts::device_order{order});
}

// Asked of values: in a type a mistake would not compile.
template <class M, class Spec>
ts::concrete_sharding sharding_of(std::vector<int> const& order = {}) {
  return {mesh_in<M>(order), ts::spec_value_of<M, Spec>};
}

template <class List, class F>
std::string listed(List const& list, F const& text) {
  std::string out;
  for (auto const& item : list) out += (out.empty() ? "" : ", ") + text(item);
  return "[" + out + "]";
}
template <class List>
std::string listed(List const& list) {
  return listed(list, [](auto n) { return std::to_string(n); });
}
inline std::string truth(bool value) { return value ? "true" : "false"; }

template <class F>
void answer(int number, F const& say) {
  std::string said;
  try {
    said = say();
  } catch (std::exception const& error) {
    said = "\"thrown\": " + quoted(error.what());
  }
  std::printf("{\"case\": %d, %s}\n", number, said.c_str());
}

// The tests' own indexer says the same, position by position.
template <class Map>
void require_placement(ts::mesh_value const& mesh, ts::spec_value const& spec, ts::extents_list const& extents,
                       Map const& map) {
  ts::array_value facts;
  for (auto n : extents) facts.add_dim(n);
  for (int d = 0; d < spec.rank; ++d) facts.entry(d) = spec[d];
  auto const where = ts::testing::placement_of(facts, mesh);
  for (std::size_t at = 0; at < map.size(); ++at)
    for (int d = 0; d < facts.rank; ++d) {
      auto const [start, stop] = where.range(static_cast<std::int64_t>(at), static_cast<std::size_t>(d));
      auto const& range = map[at].index[d];
      if (range.start != start || range.stop != stop) throw std::logic_error("testing/placement.hpp says otherwise");
    }
}

template <class M, class Spec>
void indices_map(int number, ts::extents_list const& extents, std::vector<int> const& order) {
  answer(number, [&] {
    auto const sharding = sharding_of<M, Spec>(order);
    auto const map = sharding.devices_indices_map(extents);
    require_placement(M::value, ts::spec_value_of<M, Spec>, extents, map);
    auto const region = [](ts::device_region const& mine) {
      auto const range = [](ts::index_range const& r) {
        return "[" + std::to_string(r.start) + ", " + std::to_string(r.stop) + "]";
      };
      return "[" + std::to_string(mine.where.id) + ", " + listed(mine.index, range) + "]";
    };
    auto const replica = [](ts::device_region const& mine) {
      return "[" + std::to_string(mine.where.id) + ", " + std::to_string(mine.replica_id) + "]";
    };
    return "\"shard_shape\": " + listed(sharding.shard_shape(extents)) +
           ", \"fully_replicated\": " + truth(sharding.is_fully_replicated()) +
           ", \"indices\": " + listed(map, region) + ", \"replica_ids\": " + listed(map, replica);
  });
}

template <class M, class A, class B>
void spec_equal(int number, int rank) {
  answer(number, [&] {
    auto const a = sharding_of<M, A>(), b = sharding_of<M, B>();
    bool const alike = a.is_equivalent_to(b, rank);
    if (alike != b.is_equivalent_to(a, rank)) throw std::logic_error("equivalent in one direction only");
    return "\"equal\": " + truth(a == b) + ", \"equivalent\": " + truth(alike) +
           ", \"a_str\": " + quoted(a.spec().text()) + ", \"b_str\": " + quoted(b.spec().text());
  });
}

template <class M>
void make_mesh(int number) {
  answer(number, [] { return "\"device_ids\": " + listed(mesh_in<M>({}).device_ids()); });
}

template <class M, class Spec>
void memory_kind(int number, std::string_view name) {
  answer(number, [&] {
    auto const sharding = sharding_of<M, Spec>();
    return "\"memory_kind\": " + quoted(name_of(sharding.with_memory_kind(name).memory())) +
           ", \"default\": " + quoted(name_of(sharding.memory()));
  });
}
