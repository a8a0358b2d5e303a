// SPDX-License-Identifier: Apache-2.0
#pragma once
// loader<A...>: batches of rows as global arrays of exactly these types, over a mesh. Each process reads only the
// blocks of its devices, on a thread, some batches ahead; nothing is sent. The order depends on the key alone: it is
// the same for any number of processes and devices.
//   loader<images, labels, mask> batches(mesh, {.key = 1, .last = last_batch::padded}, pixels, digits, row_mask{});
//   for (auto const& [x, y, real] : batches.epoch()) step(x, y, real);
//   loader_position here = batches.position();    // save it; another run: batches.seek(here)
// A type is an array's type or an array_type; its first dimension is the batch. Sources are rows_of<T>, where T is the
// array's element.

#include <tessera/array/array.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/data/loader_options.hpp>
#include <tessera/data/rows_of.hpp>

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>

namespace tessera {

// As a source: 1 for the original rows of a batch, 0 for those that fill it up.
struct row_mask {};

namespace detail {

struct batch_field {
  std::shared_ptr<row_source const> source;  // null: the mask
  std::array<std::byte, 16> one{};           // of the mask
  dtype element{};
  extents_list extents{};  // of the batch; dynamic where the type does not say
  spec_value spec{};
};

// The loader without its types.
class batch_stream {
public:
  batch_stream(concrete_mesh const& mesh, loader_options const& options, std::vector<batch_field> fields);
  batch_stream(batch_stream&&) noexcept;
  batch_stream& operator=(batch_stream&&) noexcept;
  ~batch_stream();

  // One array for each field.
  std::vector<stored_array> next();
  loader_position const& position() const;
  void seek(loader_position const& to);
  std::int64_t batches() const;
  std::int64_t rows() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

// P<dp> and P<dp, none> are one type of a matrix.
template <ArrayType A>
struct facts_in_batch {
  static constexpr array_value facts = A::value;
};
template <class X>
struct type_in_batch {
  using type = array_type_of<facts_in_batch<X>, typename X::mesh>;
};
template <ArrayType A>
struct type_in_batch<array<A>> : type_in_batch<A> {};
template <class X>
struct type_in_batch<X const> : type_in_batch<X> {};

template <ArrayType A, class T>
batch_field field_of(rows_of<T> const& source) {
  static_assert(std::is_same_v<T, typename A::element>,
                "tessera: a source's numbers are of another dtype than the array of the batch. Fix: rows_of<the "
                "array's element>, as columns<float>() and rows<float>() give them.");
  return {source.shared(),
          {},
          A::value.element,
          extents_of_shape<typename A::shape_type>::value,
          spec_value_of<typename A::mesh, typename A::spec>};
}
template <ArrayType A>
batch_field field_of(row_mask) {
  static_assert(A::rank == 1,
                "tessera: a mask has one number for each row. Fix: array_type<float, shape<batch>, P<dp>, mesh>.");
  using host = host_element_of<typename A::element>;
  batch_field made{nullptr,
                   {},
                   A::value.element,
                   extents_of_shape<typename A::shape_type>::value,
                   spec_value_of<typename A::mesh, typename A::spec>};
  host const one = static_cast<host>(1);
  std::memcpy(made.one.data(), &one, sizeof one);
  return made;
}

template <ArrayType First, ArrayType... Others>
inline constexpr bool of_one_batch = [] {
  std::int64_t rows = First::rank > 0 ? First::value.extent(0) : dynamic;
  bool fits = First::rank > 0;
  for (array_value const& other : {First::value, Others::value...}) {
    if (other.rank == 0) return false;
    std::int64_t const extent = other.extent(0);
    if (extent != dynamic && rows != dynamic) fits = fits && extent == rows;
    if (extent != dynamic) rows = extent;
  }
  return fits;
}();

}  // namespace detail

template <class... X>
class loader {
  static_assert(sizeof...(X) > 0, "tessera: a loader has the type of at least one array. Fix: loader<images, labels>.");
  template <class Y>
  using type_of = typename detail::type_in_batch<Y>::type;
  using first_type = type_of<std::tuple_element_t<0, std::tuple<X...>>>;
  static_assert(
      detail::of_one_batch<type_of<X>...>,
      "tessera: the arrays of a batch have as many rows each. Fix: the same first extent in all their types.");
  static_assert((std::is_same_v<typename type_of<X>::mesh, typename first_type::mesh> && ...),
                "tessera: the arrays of a batch are on one mesh. Fix: the same mesh in all their types.");
  static_assert(((type_of<X>::value.unreduced.empty() && type_of<X>::value.varying.empty()) && ...),
                "tessera: what is read from a file has no sums pending and does not vary. Fix: types without "
                "unreduced<> and varying<>.");

public:
  using mesh_type = typename first_type::mesh;
  // A batch: one array for each type.
  using value_type = std::tuple<array<type_of<X>>...>;

  // A source for each type. Throws std::invalid_argument if a source has other rows than its type, or another number of
  // rows than the others, or if there is no whole batch.
  template <class... Sources>
  loader(device_mesh<mesh_type> const& mesh, loader_options const& options, Sources const&... sources)
      : mesh_(mesh), stream_(mesh, options, fields(sources...)) {}
  // loader<...> batches(grid{}, ...) does not compile.
  template <class... Sources>
  loader(mesh_type const&, loader_options const& options, Sources const&... sources)
      : loader(device_mesh<mesh_type>{}, options, sources...) {
    written::mesh_without_devices<Sources...>::explain();
  }

  // The next batch; after the last one of an epoch the first one of the next.
  value_type next() { return arrays(stream_.next(), std::index_sequence_for<X...>{}); }
  // Batches of an epoch.
  std::int64_t batches() const { return stream_.batches(); }
  // Rows of an epoch.
  std::int64_t rows() const { return stream_.rows(); }
  loader_position const& position() const { return stream_.position(); }
  // Continues from there. Throws std::invalid_argument if that is the position of another loader.
  void seek(loader_position const& to) { stream_.seek(to); }

  class iterator {
  public:
    using value_type = loader::value_type;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(loader* from, std::int64_t epoch) : from_(from), epoch_(epoch) { read(); }
    value_type const& operator*() const { return *batch_; }
    iterator& operator++() {
      read();
      return *this;
    }
    void operator++(int) { read(); }
    bool operator==(std::default_sentinel_t) const { return !batch_; }

  private:
    void read() {
      batch_.reset();
      if (from_->position().epoch == epoch_) batch_ = from_->next();
    }
    loader* from_ = nullptr;
    std::int64_t epoch_ = 0;
    std::optional<value_type> batch_{};
  };
  struct epoch_range {
    loader* from;
    iterator begin() const { return {from, from->position().epoch}; }
    std::default_sentinel_t end() const { return {}; }
  };
  // The rest of the epoch: all of it, unless the loader has been used or moved.
  epoch_range epoch() & { return {this}; }
  // The range refers to the loader, which would be destroyed.
  template <bool Kept = false>
  epoch_range epoch() && {
    static_assert(Kept,
                  "tessera: this loader is gone before the loop over its epoch begins. Fix: a variable: loader<...> "
                  "batches(mesh, ...); for (auto const& batch : batches.epoch()) ...");
    return {this};
  }

private:
  template <class... Sources>
  static std::vector<detail::batch_field> fields(Sources const&... sources) {
    static_assert(
        sizeof...(Sources) == sizeof...(X),
        "tessera: a loader has one source for each of its types. Fix: rows_of<T> or row_mask{}, in their order.");
    if constexpr (sizeof...(Sources) == sizeof...(X))
      return {detail::field_of<type_of<X>>(sources)...};
    else
      return {};
  }
  template <std::size_t... I>
  value_type arrays(std::vector<stored_array> stored, std::index_sequence<I...>) const {
    return {array<type_of<X>>(mesh_, std::move(stored[I]))...};
  }

  device_mesh<mesh_type> mesh_;
  detail::batch_stream stream_;
};

}  // namespace tessera
