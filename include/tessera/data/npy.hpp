// SPDX-License-Identifier: Apache-2.0
#pragma once
// NumPy's .npy files: one array each, of any dtype of Tessera, in C or Fortran order. Only the needed parts of a file
// are read: each process reads the blocks of its own devices.
//   auto w = load_npy<P<none, mp>, shape<64, 128>, float>("w.npy", mesh);   a global array; load_npy<array type>(path, mesh)
//   auto rows = npy_file("images.npy").rows<float>();                       for a loader
//   save_npy("w.npy", w);                                                   all processes call it, each writes its blocks
// bfloat16 is written as NumPy's ml_dtypes does: <V2.
// Source: NumPy, numpy.lib.format, versions 1.0 to 3.0.

#include <tessera/api/asarray.hpp>
#include <tessera/api/processes.hpp>
#include <tessera/data/mapped_file.hpp>
#include <tessera/data/npy_order.hpp>
#include <tessera/data/rows_of.hpp>

namespace tessera {

namespace detail {
class npy_rows;
}

class npy_file {
public:
  // Throws file_error, which names the byte: not such a file, an unknown dtype, fewer or more bytes than the header
  // says. No memory is allocated for the sizes in a header.
  explicit npy_file(std::string const& path) : npy_file(mapped_file(path)) {}
  explicit npy_file(mapped_file const& file);

  dtype element() const { return element_; }
  extents_list const& extents() const { return extents_; }
  npy_order order() const { return order_; }
  std::string const& path() const { return file_.path(); }
  // Part [start, stop) of each dimension, row-major. Precondition: it is inside.
  void read(region const& part, std::byte* out) const;
  // The first dimension counts rows. Throws file_error if the file has another dtype.
  template <class T>
  rows_of<T> rows() const {
    require_element(dtype_of<T>());
    return rows_of<T>(shared_rows());
  }

  void require_element(dtype wanted) const;
  // dynamic: any extent.
  void require_extents(extents_list const& wanted) const;

private:
  friend class detail::npy_rows;
  std::shared_ptr<row_source const> shared_rows() const;
  // Elements from byte `from` on, row-major: a byte of a bool that is neither 0 nor 1 counts as 1.
  void read(region const& part, std::int64_t from, extents_list const& steps, std::byte* out) const;

  mapped_file file_;
  dtype element_{};
  extents_list extents_{};
  npy_order order_{};
  std::int64_t values_ = 0;  // their beginning
  extents_list steps_{};     // in bytes
};

namespace detail {
stored_array load_npy_blocks(std::string const& path, dtype element, extents_list const& extents,
                             spec_value const& spec, concrete_mesh const& mesh);
void write_npy(std::string const& path, stored_array const& x, concrete_mesh const& mesh, npy_order order);
void write_npy(std::string const& path, dtype element, extents_list const& extents, void const* data, npy_order order);
}  // namespace detail

// The array of a file over a mesh by S. The file must have this dtype, and this extent where the shape has one. All
// processes that have devices of the mesh call it; nothing is sent. Throws file_error.
template <Spec S, class Shape, class T, Mesh M>
auto load_npy(std::string const& path, device_mesh<M> const& mesh) {
  return detail::made_of_parts<S, Shape, T>(mesh, [&](spec_value const& spec) {
    return detail::load_npy_blocks(path, dtype_of<T>(), detail::extents_of_shape<Shape>::value, spec, mesh);
  });
}
template <ArrayType A>
auto load_npy(std::string const& path, device_mesh<typename A::mesh> const& mesh) {
  return load_npy<typename A::spec, typename A::shape_type, typename A::element>(path, mesh);
}
template <Spec S, class Shape, class T, Mesh M>
auto load_npy(std::string const&, M const&) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}
template <ArrayType A, Mesh M>
auto load_npy(std::string const&, M const&) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

// Writes to path.saving-part and renames: a file of this name is the complete old one or the complete new one. With
// several processes all must see the folder. Throws file_error if the path is a link or not a file, if another program
// is writing it, or if the system refuses.
namespace detail {
template <class T>
constexpr void require_npy_element() {
  static_assert(!is_float8(dtype_of<T>()),
                "tessera: .npy files have no floats of 8 bits. Fix: bitcast<uint8>(x), astype<float>(x), or save.");
}
}  // namespace detail
template <ArrayType A>
void save_npy(std::string const& path, array<A> const& x, npy_order order = npy_order::c) {
  static_assert(A::value.unreduced.empty(),
                "tessera: save_npy takes an array whose sums are done. Fix: reshard<P<...>>(x) adds them up.");
  detail::require_npy_element<typename A::element>();
  detail::write_npy(path, x.stored(), x.mesh(), order);
}
template <ConstantValue X>
void save_npy(std::string const& path, X const& x, npy_order order = npy_order::c) {
  save_npy(path, asarray(x), order);
}
template <Refused X>
void save_npy(std::string const&, X const&, npy_order = npy_order::c) {}
// Host data: the process that calls it writes the file. Of several processes only one may call it: two at the same time
// are refused.
template <class T, class Shape>
void save_npy(std::string const& path, host_view<T, Shape> const& x, npy_order order = npy_order::c) {
  detail::require_npy_element<T>();
  detail::write_npy(path, dtype_of<T>(), x.extents, x.data, order);
}

}  // namespace tessera
