// SPDX-License-Identifier: Apache-2.0
// Indexing by arrays and by numbers known late, in every layout of arrays and indices.

#include "support/every_layout.hpp"

namespace {

using namespace layouts;
using size = std::int64_t;
using oracle::ints;

// Places -n ... n - 1, no two of one line of `distinct` elements the same.
input places(extents e, size n) { return i32(std::move(e), -static_cast<double>(n), static_cast<double>(n)); }
input distinct(extents e, size n, size from = 0) {
  tensor x = oracle::zeros(e);
  for (size i = 0; i < x.size(); ++i) x.data[i] = static_cast<double>(from + (i * (n - 1)) % n);
  return given(dtype::int32, x);
}
size at_place(double v, size n) { return static_cast<size>(v < 0 ? v + static_cast<double>(n) : v); }

tensor taken(tensor const& x, tensor const& where, std::size_t dim) {
  auto const d = static_cast<std::ptrdiff_t>(dim), rank = static_cast<std::ptrdiff_t>(where.extents.size());
  ints e(x.extents.begin(), x.extents.begin() + d);
  e.insert(e.end(), where.extents.begin(), where.extents.end());
  e.insert(e.end(), x.extents.begin() + d + 1, x.extents.end());
  return oracle::generate(e, [&](ints const& at) {
    ints from(at.begin(), at.begin() + d);
    from.push_back(at_place(where[ints(at.begin() + d, at.begin() + d + rank)], x.extents[dim]));
    from.insert(from.end(), at.begin() + d + rank, at.end());
    return x[from];
  });
}

constexpr ts::index_mode fill{.fill = true, .wrap = true};

TEST(indexing_layouts, take) {
  for (size dim : {0, 1, 2})
    for (bool out : {false, true})
      every_layout<ops::take>([=](size n) {
        extents const e{n, 2 * n, n};
        return test{.inputs = {f64(e), places({n}, e[dim])},
                    .attrs = ops::take_params{{dim}, fill},
                    .dense = dense(
                        [=](tensor const& x, tensor const& i) { return taken(x, i, static_cast<std::size_t>(dim)); }),
                    .gradient = !out || n == 4,
                    .out_sharding = out};
      });
  for (bool out : {false, true}) {
    every_layout<ops::take>([=](size n) {  // places of rank 2
      return test{.inputs = {f64({n, n}), places({n, 2}, n)},
                  .attrs = ops::take_params{{0}, fill},
                  .dense = dense([](tensor const& x, tensor const& i) { return taken(x, i, 0); }),
                  .out_sharding = out};
    });
    every_layout<ops::take>([=](size n) {  // of the flattened array
      return test{
          .inputs = {f64({n, n}), places({n}, n * n)},
          .attrs = ops::take_params{{}, fill},
          .dense = dense([](tensor const& x, tensor const& i) { return taken(oracle::reshape(x, {x.size()}), i, 0); }),
          .out_sharding = out};
    });
  }
}

TEST(indexing_layouts, filled_take) {
  for (bool out : {false, true})
    every_layout<ops::filled<ops::take, ops::take_params>>([=](size n) {
      auto const want = [](tensor const& x, tensor const& i, tensor const& v) {
        size const rows = x.extents[0];
        return oracle::generate({i.extents[0], x.extents[1]}, [&](ints at) {
          auto const row = static_cast<size>(i.data[static_cast<std::size_t>(at[0])]);
          at[0] = row < 0 ? row + rows : row;
          return row < -rows || row >= rows ? v.data[0] : x[at];
        });
      };
      input const i = i32({2 * n}, -2.0 * static_cast<double>(n), 2.0 * static_cast<double>(n));
      return test{.inputs = {f64({n, 2 * n}), i, f64({})},
                  .attrs = ops::take_params{{0}, fill},
                  .dense = dense(want),
                  .out_sharding = out};
    });
}

TEST(indexing_layouts, take_along_axis) {
  for (size dim : {0, 1})
    for (bool out : {false, true})
      every_layout<ops::take_along_axis>([=](size n) {
        auto const want = [=](tensor const& x, tensor const& i) {
          return oracle::generate(i.extents, [&](ints at) {
            auto const d = static_cast<std::size_t>(dim);
            at[d] = at_place(i[at], x.extents[d]);
            return x[at];
          });
        };
        extents const e{n, 2 * n};
        extents which = e;
        which[dim] = n;
        return test{.inputs = {f64(e), places(which, e[dim])},
                    .attrs = ops::take_params{{dim}, fill},
                    .dense = dense(want),
                    .out_sharding = out};
      });
}

// x with windows of rows written: v (rows of `where`, x's other dimensions).
template <class F>
tensor written(tensor x, tensor const& where, tensor const& v, F f) {
  oracle::for_each_index(v.extents, [&](ints at) {
    double const value = v[at];
    at[0] = at_place(where.data[at[0]], x.extents[0]);
    x[at] = f(x[at], value);
  });
  return x;
}
// `apart`: no two updates of one place, and none of them is differentiated.
template <class Op, class F>
void scatters(F f, bool apart) {
  std::vector<int> const constants = apart ? std::vector<int>{2} : std::vector<int>{};
  for (bool out : {false, true}) {
    every_layout<Op>([=](size n) {
      return test{
          .inputs = {f64({2 * n, n}), apart ? distinct({n}, 2 * n) : places({n}, 2 * n), f64({n, n})},
          .attrs = ts::indexing_params{{1, n}, {ts::rule::collapsed, 1}, {0}, fill},
          .dense = dense([=](tensor const& x, tensor const& i, tensor const& v) { return written(x, i, v, f); }),
          .gradient = !out || n == 4,
          .constants = constants,
          .out_sharding = out};
    });
  }
  every_layout<Op>([=](size n) {
    return test{.inputs = {f64({2 * n, n, 2}), apart ? distinct({n}, 2 * n) : places({n}, 2 * n), f64({n, n, 2})},
                .attrs = ts::indexing_params{{1, n, 2}, {ts::rule::collapsed, 1, 2}, {0}, fill},
                .dense = dense([=](tensor const& x, tensor const& i, tensor const& v) { return written(x, i, v, f); }),
                .gradient = n == 4,
                .constants = constants};
  });
}
// Many updates of a few elements: what is sent is least if each device combines its own.
template <class Op, class F>
void many_updates(F f, bool differentiated) {
  every_layout<Op>([=](size n) {
    return test{.inputs = {f64({n}), places({5 * n}, n), f64({5 * n})},
                .attrs = ts::indexing_params{{1}, {ts::rule::collapsed}, {0}, fill},
                .dense = dense([=](tensor const& x, tensor const& i, tensor const& v) { return written(x, i, v, f); }),
                .constants = differentiated ? std::vector<int>{} : std::vector<int>{2},
                .out_sharding = true};
  });
}
double last(double, double v) { return v; }
double add(double x, double v) { return x + v; }
double times(double x, double v) { return x * v; }
double least(double x, double v) { return std::fmin(x, v); }
double most(double x, double v) { return std::fmax(x, v); }

TEST(indexing_layouts, scatter) {
  scatters<ops::scatter>(last, false);
  scatters<ops::scatter_add>(add, false);
  scatters<ops::scatter_mul>(times, true);
  every_layout<ops::scatter_mul>([](size n) {  // a scalar index: both have a gradient
    auto const want = [](tensor const& x, tensor const& i, tensor const& v) {
      return written(x, i, oracle::reshape(v, {1, v.extents[0]}), times);
    };
    return test{.inputs = {f64({n, n}), given(dtype::int32, -2.0), f64({n})},
                .attrs = ts::indexing_params{{1, n}, {ts::rule::collapsed, 0}, {0}, fill},
                .dense = dense(want)};
  });
  scatters<ops::scatter_min>(least, false);
  scatters<ops::scatter_max>(most, false);
}

#ifndef TESSERA_BY_DAY
TEST(indexing_layouts, scatter_of_many_updates) {
  many_updates<ops::scatter_add>(add, true);
  many_updates<ops::scatter_mul>(times, false);
  many_updates<ops::scatter_min>(least, true);
  many_updates<ops::scatter_max>(most, true);
}

TEST(indexing_layouts, gather) {
  for (bool out : {false, true}) {
    every_layout<ops::gather>([=](size n) {  // rows
      return test{.inputs = {f64({2 * n, n}), places({n}, 2 * n)},
                  .attrs = ts::indexing_params{{1, n}, {ts::rule::collapsed, 1}, {0}, fill},
                  .dense = dense([](tensor const& x, tensor const& i) { return taken(x, i, 0); }),
                  .out_sharding = out};
    });
    every_layout<ops::gather>([=](size n) {  // one of each row: a batch dimension
      auto const want = [](tensor const& x, tensor const& i) {
        return oracle::generate(i.extents, [&](ints const& at) { return x[{at[0], at_place(i[at], x.extents[1])}]; });
      };
      return test{.inputs = {f64({n, 2 * n}), places({n}, 2 * n)},
                  .attrs = ts::indexing_params{{1, 1}, {ts::rule::with_index(0), ts::rule::collapsed}, {1}, fill},
                  .dense = dense(want),
                  .out_sharding = out};
    });
    every_layout<ops::gather>([=](size n) {  // elements by two index arrays
      auto const want = [](tensor const& x, tensor const& i, tensor const& j) {
        return oracle::generate(i.extents, [&](ints const& at) {
          return x[{at_place(i[at], x.extents[0]), at_place(j[at], x.extents[1])}];
        });
      };
      return test{.inputs = {f64({n, 2 * n}), places({n}, n), places({n}, 2 * n)},
                  .attrs = ts::indexing_params{{1, 1}, {ts::rule::collapsed, ts::rule::collapsed}, {0, 1}, fill},
                  .dense = dense(want),
                  .out_sharding = out};
    });
  }
}

// Of a dimension that runs backwards in memory.
struct taken_backwards {
  static constexpr std::string_view name = "take";
  static constexpr ts::op_class kind = ts::op_class::gather;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const& attrs) {
    return b.template make<ops::take>({b.template make<ops::flip>({x[0]}), x[1]}, attrs);
  }
};
TEST(indexing_layouts, backwards) {
  for (bool out : {false, true})
    every_layout<taken_backwards>([=](size n) {
      auto const want = [](tensor const& x, tensor const& i) { return taken(oracle::flip(x, {0, 1}), i, 0); };
      return test{.inputs = {f64({2 * n, n}), places({n}, 2 * n)},
                  .attrs = ops::take_params{{0}, fill},
                  .dense = dense(want),
                  .out_sharding = out};
    });
}

using ts::detail::index_entry;
ts::detail::index_params entries(std::initializer_list<index_entry> list, ts::index_mode mode = {.wrap = true}) {
  ts::detail::index_params made;
  for (auto e : list) made.add(e);
  made.mode = mode;
  return made;
}

TEST(indexing_layouts, at_get) {
  for (bool out : {false, true}) {
    every_layout<ops::index>([=](size n) {  // x[i]
      return test{.inputs = {f64({2 * n, n, n}), places({n}, 2 * n)},
                  .attrs = entries({index_entry::operand}),
                  .dense = dense([](tensor const& x, tensor const& i) { return taken(x, i, 0); }),
                  .gradient = !out,
                  .out_sharding = out};
    });
    every_layout<ops::index>([=](size n) {  // x[..., newaxis, i]
      auto const want = [](tensor const& x, tensor const& i) {
        tensor const y = taken(x, i, 1);
        return oracle::reshape(y, {y.extents[0], 1, y.extents[1]});
      };
      return test{.inputs = {f64({n, 2 * n}), places({n}, 2 * n)},
                  .attrs = entries({index_entry::ellipsis, index_entry::newaxis, index_entry::operand}),
                  .dense = dense(want),
                  .out_sharding = out};
    });
    every_layout<ops::index>([=](size n) {  // x[n:, ::-1]: no array
      auto attrs = entries({});
      attrs.add(index_entry::span, n, ts::to_end, 1);
      attrs.add(index_entry::span, ts::to_end, ts::to_end, -1);
      auto const want = [n](tensor const& x) { return oracle::flip(oracle::slice(x, {n, 0}, {2 * n, n}), {1}); };
      return test{.inputs = {f64({2 * n, n})}, .attrs = attrs, .dense = dense(want), .out_sharding = out};
    });
    every_layout<ops::index>([=](size n) {  // x[scalar]
      return test{.inputs = {f64({2 * n, n, n}), given(dtype::int32, -2.0)},
                  .attrs = entries({index_entry::operand}),
                  .dense = dense([](tensor const& x, tensor const& i) { return taken(x, i, 0); }),
                  .gradient = !out,
                  .out_sharding = out};
    });
    every_layout<ops::index>([=](size n) {  // x[scalar], outside and filled
      auto const want = [](tensor const& x, tensor const&) {
        return oracle::generate({x.extents[1], x.extents[2]}, [](ints const&) { return std::nan(""); });
      };
      return test{.inputs = {f64({2 * n, n, n}), given(dtype::int32, 100.0)},
                  .attrs = entries({index_entry::operand}, fill),
                  .dense = dense(want),
                  .gradient = false,
                  .out_sharding = out};
    });
  }
}

template <class Op, class F>
void updates(F f, bool apart) {
  std::vector<int> const constants = apart ? std::vector<int>{2} : std::vector<int>{};
  for (bool out : {false, true})
    every_layout<Op>([=](size n) {
      return test{
          .inputs = {f64({2 * n, n}), apart ? distinct({n}, 2 * n) : places({n}, 2 * n), f64({n, n})},
          .attrs = entries({index_entry::operand}, fill),
          .dense = dense([=](tensor const& x, tensor const& i, tensor const& v) { return written(x, i, v, f); }),
          .gradient = !out || n == 4,
          .constants = constants,
          .out_sharding = out};
    });
  every_layout<Op>([=](size n) {  // v broadcasts
    auto const want = [=](tensor const& x, tensor const& i, tensor const& v) {
      return written(x, i, oracle::broadcast_to(v, {n, 2 * n, 2}), f);
    };
    return test{.inputs = {f64({2 * n, 2 * n, 2}), apart ? distinct({n}, 2 * n) : places({n}, 2 * n), f64({2})},
                .attrs = entries({index_entry::operand}, fill),
                .dense = dense(want),
                .gradient = n == 4,
                .constants = constants};
  });
}

TEST(indexing_layouts, at_set) {
  updates<ops::at_set>(last, false);
  updates<ops::at_add>(add, false);
  updates<ops::at_multiply>(times, true);
  updates<ops::at_min>(least, false);
  updates<ops::at_max>(most, false);
}

tensor window(tensor const& x, extents start, extents const& sizes) {
  extents stop;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (start[d] < 0) start[d] += x.extents[d];
    start[d] = std::max<size>(0, std::min(start[d], x.extents[d] - sizes[d]));
    stop.push_back(start[d] + sizes[d]);
  }
  return oracle::slice(x, start, stop);
}
size number(tensor const& x) { return static_cast<size>(x.item()); }

TEST(indexing_layouts, dynamic_slice) {
  for (double const start : {1.0, -3.0, 100.0}) {
    input const i = given(dtype::int32, start);
    every_layout<ops::dynamic_slice>([&](size n) {
      return test{.inputs = {f64({2 * n, n, n}), i, i, i},
                  .attrs = ops::dynamic_slice_params{{n, n, 2}},
                  .dense = dense([n](tensors const& x) {
                    return window(x[0], {number(x[1]), number(x[2]), number(x[3])}, {n, n, 2});
                  })};
    });
    every_layout<ops::dynamic_slice_in_dim>([&](size n) {
      return test{.inputs = {f64({n, 2 * n, n}), i},
                  .attrs = ops::dynamic_slice_in_dim_params{1, n},
                  .dense = dense([n](tensor const& x, tensor const& at) {
                    return window(x, {0, number(at), 0}, {n, n, n});
                  })};
    });
    every_layout<ops::dynamic_slice_in_dim>([&](size n) {
      auto const want = [n](tensor const& x, tensor const& at) {
        return oracle::reshape(window(x, {number(at), 0}, {1, n}), {n});
      };
      return test{
          .inputs = {f64({n, n}), i}, .attrs = ops::dynamic_slice_in_dim_params{0, 1, true}, .dense = dense(want)};
    });
    auto const update = [](tensor const& x, tensor const& part, extents start) {
      for (std::size_t d = 0; d < start.size(); ++d) {
        if (start[d] < 0) start[d] += x.extents[d];
        start[d] = std::max<size>(0, std::min(start[d], x.extents[d] - part.extents[d]));
      }
      return oracle::update_slice(x, part, start);
    };
    every_layout<ops::dynamic_update_slice>([&](size n) {
      return test{.inputs = {f64({2 * n, n}), f64({n, n}), i, i},
                  .dense = dense([=](tensors const& x) {
                    return update(x[0], x[1], {number(x[2]), number(x[3])});
                  })};
    });
    every_layout<ops::dynamic_update_in_dim>([&](size n) {
      return test{.inputs = {f64({n, 2 * n, n}), f64({n, n, n}), i},
                  .attrs = ops::dynamic_slice_in_dim_params{1},
                  .dense = dense([=](tensors const& x) {
                    return update(x[0], x[1], {0, number(x[2]), 0});
                  }),
                  .gradient = n == 4};
    });
  }
}
#endif

}  // namespace
