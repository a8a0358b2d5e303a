// SPDX-License-Identifier: Apache-2.0
// Ops that move elements, in every layout.

#include "support/every_layout.hpp"

namespace {

using namespace layouts;
using size = std::int64_t;

extents cube(size n) { return {n, 2 * n, n}; }
extents flat(size n) { return {2 * n, n}; }
extents line(size n) { return {2 * n}; }
template <class Params, size... Numbers>
ts::attributes of(size) {
  return Params{{Numbers...}};
}

TEST(movement_layouts, permute) {
  auto const in_order = [](ts::attributes (*attrs)(size), extents order) {
    of_extents<ops::permute>(cube, attrs, [=](tensor const& x, size) { return oracle::transpose(x, order); });
  };
  in_order(of<ts::permute_params, 0, 1, 2>, {0, 1, 2});
  in_order(of<ts::permute_params, 0, 2, 1>, {0, 2, 1});
  in_order(of<ts::permute_params, 1, 0, 2>, {1, 0, 2});
  in_order(of<ts::permute_params, 1, 2, 0>, {1, 2, 0});
  in_order(of<ts::permute_params, -1, 0, 1>, {2, 0, 1});
  in_order(of<ts::permute_params>, {2, 1, 0});
  of_extents<ops::permute>(flat, of<ts::permute_params>, [](tensor const& x, size) { return oracle::transpose(x); });
}

TEST(movement_layouts, reshape) {
  auto const to = [](extents (*from)(size), extents (*shape)(size)) {
    for (bool out : {false, true})
      every_layout<ops::reshape>([&](size n) {
        return test{.inputs = {f64(from(n), -1, 1)},
                    .attrs = ts::reshape_params{list(shape(n))},
                    .dense = dense([shape, n](tensor const& x) { return oracle::reshape(x, shape(n)); }),
                    .out_sharding = out};
      });
  };
  to(cube, [](size n) { return extents{2 * n * n * n}; });
  to(cube, [](size n) { return extents{2 * n * n, n}; });
  to(cube, [](size n) { return extents{n, 2 * n * n}; });
  to(cube, [](size n) { return extents{n, n, 2 * n}; });
  to([](size n) { return extents{4 * n, n}; }, [](size n) { return extents{2 * n, 2, n}; });
  to([](size n) { return extents{n * n}; }, [](size n) { return extents{n, n}; });
  to([](size n) { return extents{n * n * n}; }, [](size n) { return extents{n, n, n}; });
  to([](size n) { return extents{2 * n, 3}; }, [](size n) { return extents{3, 2 * n}; });
}

TEST(movement_layouts, optimization_barrier) {
  of_extents<ops::optimization_barrier>(
      cube, [](size) { return ts::attributes{}; }, [](tensor const& x, size) { return x; });
}

TEST(movement_layouts, dims_of_one) {
  of_extents<ops::expand_dims>(flat, of<ops::expand_dims_params, 0, -1>, [](tensor const& x, size n) {
    return oracle::reshape(x, {1, 2 * n, n, 1});
  });
  of_extents<ops::expand_dims>(cube, of<ops::expand_dims_params, 1>, [](tensor const& x, size n) {
    return oracle::reshape(x, {n, 1, 2 * n, n});
  });
  of_extents<ops::squeeze>(
      [](size n) {
        return extents{1, n, 1};
      },
      of<ops::squeeze_params, 0>,
      [](tensor const& x, size n) {
        return oracle::reshape(x, {n, 1});
      });
  of_extents<ops::squeeze>(
      [](size n) {
        return extents{n, 1, n};
      },
      [](size) {
        return ts::attributes(ops::squeeze_params{{}, true});
      },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {n, n});
      });
  of_extents<ops::atleast>(
      line, [](size) { return ts::attributes(ops::atleast_params{2}); },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {1, 2 * n});
      });
  of_extents<ops::atleast>(
      flat, [](size) { return ts::attributes(ops::atleast_params{3}); },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {2 * n, n, 1});
      });
}

TEST(movement_layouts, broadcast_to) {
  auto const to = [](extents (*from)(size), ts::attributes (*attrs)(size)) {
    for (bool out : {false, true})
      of_extents<ops::broadcast_to>(
          from, attrs,
          [attrs](tensor const& x, size n) {
            auto const to = attrs(n).as<ts::broadcast_params>();
            extents const target(to.shape.begin(), to.shape.end());
            if (to.dims.empty()) return oracle::broadcast_to(x, target);
            extents wide(target.size(), 1);
            for (int i = 0; i < to.dims.size(); ++i) wide[to.dims[i]] = x.extents[i];
            return oracle::broadcast_to(oracle::reshape(x, wide), target);
          },
          out);
  };
  to(line, [](size n) { return ts::attributes(ts::broadcast_params{{}, {n, 2 * n}}); });
  to(flat, [](size n) { return ts::attributes(ts::broadcast_params{{}, {n, 2 * n, n}}); });
  to(
      [](size n) {
        return extents{n, 1, n};
      },
      [](size n) {
        return ts::attributes(ts::broadcast_params{{}, {n, 2 * n, n}});
      });
  to([](size n) { return extents{n, 1}; }, [](size n) { return ts::attributes(ts::broadcast_params{{}, {n, n, n}}); });
  to([](size) { return extents{}; }, [](size n) { return ts::attributes(ts::broadcast_params{{}, {n, 2 * n, n}}); });
  to(
      [](size n) {
        return extents{n, 2 * n};
      },
      [](size n) {
        return ts::attributes(ts::broadcast_params{{0, 1}, {n, 2 * n, n}});
      });
  to(
      [](size n) {
        return extents{n, n};
      },
      [](size n) {
        return ts::attributes(ts::broadcast_params{{0, 2}, {n, 2 * n, n}});
      });
}

#ifndef TESSERA_BY_DAY
TEST(movement_layouts, slices) {
  of_extents<ops::slice>(
      cube,
      [](size n) {
        return ts::attributes(ts::slice_params{{0, n, 1}, {n, 2 * n, ts::to_end}, {1, 1, 2}});
      },
      [](tensor const& x, size n) {
        return oracle::slice(x, {0, n, 1}, {n, 2 * n, n}, {1, 1, 2});
      });
  of_extents<ops::slice>(
      flat,
      [](size n) {
        return ts::attributes(ts::slice_in_dim_params{0, n, 2 * n});
      },
      [](tensor const& x, size n) {
        return oracle::slice(x, {n, 0}, {2 * n, n});
      });
  of_extents<ops::flip>(cube, of<ops::flip_params, 0, 2>, [](tensor const& x, size) {
    return oracle::flip(x, {0, 2});
  });
  of_extents<ops::flip>(flat, of<ops::flip_params>, [](tensor const& x, size) { return oracle::flip(x, {0, 1}); });
  of_extents<ops::split_part>(
      cube,
      [](size) {
        return ts::attributes(ops::part_params{1, 1, 2});
      },
      [](tensor const& x, size n) {
        return oracle::slice(x, {0, n, 0}, {n, 2 * n, n});
      });
  of_extents<ops::unstacked_part>(
      cube,
      [](size) {
        return ts::attributes(ops::part_params{2, 1});
      },
      [](tensor const& x, size n) {
        return oracle::reshape(oracle::slice(x, {0, 0, 1}, {n, 2 * n, 2}), {n, 2 * n});
      });
}

TEST(movement_layouts, parts_put_together) {
  for (int rank = 1; rank < 4; ++rank)
    for (int d = 0; d < rank; ++d) {
      auto const two = [&]<class Op>(std::type_identity<Op>, auto f) {
        every_layout<Op>([&](size n) {
          extents e{n, n, n}, other;
          e.resize(static_cast<std::size_t>(rank));
          other = e;
          if (Op::name == "concatenate") other[d] = 2 * n;
          return test{.inputs = {f64(e), f64(other)},
                      .attrs = ts::concatenate_params{d},
                      .dense = dense([=](tensors const& x) { return f(x, d); })};
        });
      };
      two(std::type_identity<ops::concatenate>{}, [](tensors const& x, size at) { return oracle::concatenate(x, at); });
      two(std::type_identity<ops::stack>{}, [](tensors const& x, size at) { return oracle::stack(x, at); });
    }
  auto const three = [](tensors const& x) { return oracle::concatenate(x, 0); };
  every_layout<ops::concatenate>([&](size n) {
    return test{.inputs = {f64({n, n}), f64({2 * n, n}), f64({n, n})},
                .attrs = ts::concatenate_params{0},
                .dense = dense(three)};
  });
  every_layout<ops::update_slice>([](size n) {
    return test{.inputs = {f64({2 * n, n, n}), f64({n, n, n - 2})},
                .attrs = ts::update_slice_params{{n - 1, 0, 2}},
                .dense = dense([n](tensor const& x, tensor const& part) {
                  return oracle::update_slice(x, part, {n - 1, 0, 2});
                })};
  });
}

TEST(movement_layouts, pad) {
  auto const by = [](extents const& low, extents const& high, extents const& interior) {
    every_layout<ops::pad>([&](size n) {
      return test{.inputs = {f64({n, 2 * n, n}), f64({})},
                  .attrs = ts::pad_params{list(low), list(high), list(interior)},
                  .dense = dense([=](tensor const& x, tensor const& value) {
                    return oracle::pad(x, value.item(), low, high, interior);
                  })};
    });
  };
  by({12, 0, 0}, {0, 0, 0}, {0, 0, 0});
  by({0, 5, 0}, {0, 7, 1}, {0, 0, 0});
  by({0, 0, 1}, {0, 0, 0}, {0, 0, 1});
  by({-1, 0, 0}, {1, 0, 12}, {0, 0, 0});
}

TEST(movement_layouts, repeated) {
  of_extents<ops::tile>(cube, of<ops::tile_params, 1, 1, 3>, [](tensor const& x, size) {
    return oracle::tile(x, {1, 1, 3});
  });
  of_extents<ops::tile>(line, of<ops::tile_params, 2, 1>, [](tensor const& x, size) {
    return oracle::tile(oracle::expand_dims(x, 0), {2, 1});
  });
  auto const repeat = [](tensor const& x, std::size_t d, size times) {
    extents e = x.extents;
    e[d] *= times;
    return oracle::generate(e, [&](oracle::ints at) {
      at[d] /= times;
      return x[at];
    });
  };
  for (bool out : {false, true}) {
    of_extents<ops::repeat>(
        cube,
        [](size) {
          return ts::attributes(ops::repeat_params{2, {1}});
        },
        [=](tensor const& x, size) { return repeat(x, 1, 2); }, out);
    of_extents<ops::repeat>(
        flat,
        [](size) {
          return ts::attributes(ops::repeat_params{3, {-1}});
        },
        [=](tensor const& x, size) { return repeat(x, 1, 3); }, out);
    of_extents<ops::repeat>(
        flat, [](size) { return ts::attributes(ops::repeat_params{2}); },
        [=](tensor const& x, size n) { return repeat(oracle::reshape(x, {2 * n * n}), 0, 2); }, out);
  }
  auto const roll = [](tensor const& x, size shift, std::size_t d) {
    return oracle::generate(x.extents, [&](oracle::ints at) {
      at[d] = (at[d] - shift + 2 * x.extents[d]) % x.extents[d];
      return x[at];
    });
  };
  of_extents<ops::roll>(
      cube,
      [](size n) {
        return ts::attributes(ops::roll_params{{n}, {1}});
      },
      [=](tensor const& x, size n) { return roll(x, n, 1); });
  of_extents<ops::roll>(
      flat,
      [](size) {
        return ts::attributes(ops::roll_params{{-1, 2}, {0, 1}});
      },
      [=](tensor const& x, size) { return roll(roll(x, -1, 0), 2, 1); });
  of_extents<ops::roll>(flat, of<ops::roll_params, 3>, [=](tensor const& x, size n) {
    return oracle::reshape(roll(oracle::reshape(x, {2 * n * n}), 3, 0), {2 * n, n});
  });
}

TEST(movement_layouts, reshard) {
  for (auto shape : {+[](size n) { return extents{2 * n}; }, +[](size n) { return extents{n, 2 * n}; }, cube}) {
    auto const same = [](tensor const& x, size) { return x; };
    of_extents<ops::reshard>(
        shape, [](size) { return ts::attributes{}; }, same, true);
    of_extents<ops::with_sharding_constraint>(
        shape, [](size) { return ts::attributes{}; }, same, true);
  }
}

// Each device's block of a count along one dimension is the same along the axes that split others, so that fewer blocks
// are stored than the layout names.
struct moved_count {
  static constexpr std::string_view name = "iota";
  static constexpr ts::op_class kind = ts::op_class::reshard;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const& attrs) {
    ts::array_value const like = x[0].facts();
    ts::attributes const count{ts::iota_params{dtype::int32, attrs.as<ts::iota_params>().dim, like.shape()},
                               layout_of(like)};
    ts::attributes to;
    to.has_out = true;
    to.out = attrs.out;
    return b.template make<ops::reshard>({b.template make<ops::iota>({}, count)}, to);
  }
};
TEST(movement_layouts, reshard_of_repeated_blocks) {
  for (size d = 0; d < 3; ++d)
    every_layout<moved_count>([d](size n) {
      return test{.inputs = {f64(cube(n))},
                  .attrs = ts::iota_params{dtype::int32, d},
                  .dense = dense([d](tensor const& x) { return oracle::iota(x.extents, d); }),
                  .gradient = false,
                  .out_sharding = true};
    });
}

TEST(movement_layouts, triangles) {
  auto const part = [](bool upper, size k) {
    return [=](tensor const& x, size) {
      return oracle::generate(x.extents, [&](oracle::ints const& at) {
        size const apart = at[at.size() - 1] - at[at.size() - 2];
        return (upper ? apart >= k : apart <= k) ? x[at] : 0;
      });
    };
  };
  of_extents<ops::triu>(
      cube, [](size) { return ts::attributes(ops::diagonal_params{0}); }, part(true, 0));
  of_extents<ops::triu>(
      flat, [](size) { return ts::attributes(ops::diagonal_params{1}); }, part(true, 1));
  of_extents<ops::tril>(
      cube, [](size) { return ts::attributes(ops::diagonal_params{-2}); }, part(false, -2));
  of_extents<ops::tril>(
      flat, [](size) { return ts::attributes(ops::diagonal_params{0}); }, part(false, 0));
}

// Without operands: every layout of the result is asked for.
TEST(movement_layouts, made_from_nothing) {
  for (int rank = 1; rank < 4; ++rank)
    for (int d = 0; d < rank; ++d)
      every_layout<ops::iota>([&](size n) {
        extents e{n, 2 * n, n};
        e.resize(static_cast<std::size_t>(rank));
        ts::iota_params const attrs{dtype::int32, d, list(e)};
        return test{
            .attrs = attrs, .dense = dense([=](tensors const&) { return oracle::iota(e, d); }), .out_sharding = true};
      });
  every_layout<ops::arange>([](size n) {
    ops::arange_params const attrs{dtype::float64, 2 * n, 3, -2};
    auto const want = [n](tensors const&) {
      return oracle::map(oracle::iota({2 * n}), [](double v) { return 3 - 2 * v; });
    };
    return test{.attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  every_layout<ops::full>([](size n) {
    ops::full_params const attrs{list({n, 2 * n, n}), 1.5, dtype::float64};
    return test{.attrs = attrs,
                .dense = dense([n](tensors const&) {
                  return oracle::full({n, 2 * n, n}, 1.5);
                }),
                .out_sharding = true};
  });
  of_extents<ops::full_like>(
      cube,
      [](size) {
        return ts::attributes(ops::full_params{{}, 2.5});
      },
      [](tensor const& x, size) { return oracle::full(x.extents, 2.5); });
  every_layout<ops::eye>([](size n) {
    ops::eye_params const attrs{dtype::float32, n, 2 * n, 1};
    auto const want = [n](tensors const&) {
      return oracle::generate({n, 2 * n}, [](oracle::ints const& at) { return double(at[1] == at[0] + 1); });
    };
    return test{.attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  every_layout<ops::linspace<true>>([](size n) {
    ts::iota_params const attrs{dtype::float64, 0, list({2 * n})};
    auto const want = [n](tensor const& from, tensor const& to) {
      return oracle::map(oracle::iota({2 * n}), [&](double v) {
        return from.item() + (to.item() - from.item()) * v / static_cast<double>(2 * n - 1);
      });
    };
    return test{.inputs = {f64({}), f64({})}, .attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  for (size at : {0, 1, -1})
    every_layout<ops::one_hot>([at](size n) {
      ops::one_hot_params const attrs{n, at, dtype::float64};
      auto const want = [=](tensor const& labels) {
        tensor const hot = oracle::one_hot(labels, n);
        return at == 0 ? oracle::transpose(hot, {2, 0, 1}) : at == 1 ? oracle::transpose(hot, {0, 2, 1}) : hot;
      };
      return test{.inputs = {i32({n, 2 * n}, 0, 7)}, .attrs = attrs, .dense = dense(want)};
    });
}
#endif

}  // namespace
