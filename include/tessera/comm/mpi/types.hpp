// SPDX-License-Identifier: Apache-2.0
#pragma once
// MPI's element types and operations, and user-defined operations where MPI has none.

#include <tessera/comm/channel/combine.hpp>

#include <mpi.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::detail {

inline std::string mpi_error_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(code);
  return {text, static_cast<std::size_t>(length)};
}
inline void mpi_check(char const* call, int code) {
  if (code != MPI_SUCCESS) throw std::runtime_error(std::string(call) + ": " + mpi_error_text(code));
}

inline MPI_Datatype mpi_type_of(dtype element) {
  switch (element) {
    case dtype::int8: return MPI_INT8_T;
    case dtype::int16: return MPI_INT16_T;
    case dtype::int32: return MPI_INT32_T;
    case dtype::int64: return MPI_INT64_T;
    case dtype::boolean:
    case dtype::float8_e4m3fn:
    case dtype::float8_e5m2:
    case dtype::uint8: return MPI_UINT8_T;
    case dtype::uint16:
    case dtype::float16:
    case dtype::bfloat16: return MPI_UINT16_T;
    case dtype::uint32: return MPI_UINT32_T;
    case dtype::uint64: return MPI_UINT64_T;
    case dtype::float64: return MPI_DOUBLE;
    case dtype::complex64: return MPI_C_FLOAT_COMPLEX;
    case dtype::complex128: return MPI_C_DOUBLE_COMPLEX;
    default: return MPI_FLOAT;
  }
}

template <class T, monoid M>
void mpi_combine(void* in, void* in_out, int* count, MPI_Datatype*) {
  std::byte const* const blocks[]{static_cast<std::byte const*>(in), static_cast<std::byte const*>(in_out)};
  fold_elements<T, M>(static_cast<std::byte*>(in_out), blocks, *count);
}

// MPI's own operation, or null: MPI has no floats of 8 and 16 bits, and its max and min of a NaN are unspecified.
inline MPI_Op mpi_own_op(dtype element, monoid combine) {
  bool const both = combine == monoid::product || combine == monoid::min || combine == monoid::logical_and;
  if (element == dtype::boolean) return both ? MPI_MIN : MPI_MAX;
  if (is_half(element) || is_float8(element)) return MPI_OP_NULL;
  if (combine == monoid::sum) return MPI_SUM;
  if (combine == monoid::product) return MPI_PROD;
  if (is_floating(element)) return MPI_OP_NULL;
  return both ? MPI_MIN : MPI_MAX;
}

// The user-defined operations, one per element type and monoid that was requested, kept until MPI is finalized.
class mpi_ops {
public:
  MPI_Op of(dtype element, monoid combine) {
    MPI_Op const own = mpi_own_op(element, combine);
    if (own != MPI_OP_NULL) return own;
    for (auto const& made : made_)
      if (made.element == element && made.combine == combine) return made.op;
    MPI_Op op = MPI_OP_NULL;
    mpi_check("MPI_Op_create", MPI_Op_create(function(element, combine), 1, &op));
    made_.push_back({element, combine, op});
    return op;
  }
  void free() {
    for (auto& made : made_) MPI_Op_free(&made.op);
    made_.clear();
  }

private:
  static MPI_User_function* function(dtype element, monoid combine) {
    return with_element(element, [&]<class T>(std::type_identity<T>) {
      return with_monoid<T>(combine,
                            []<monoid M>(monoid_constant<M>) -> MPI_User_function* { return &mpi_combine<T, M>; });
    });
  }
  struct entry {
    dtype element;
    monoid combine;
    MPI_Op op;
  };
  std::vector<entry> made_;
};

// `bytes` bytes for MPI, which counts in int. A larger size is one element of a derived type.
class mpi_bytes {
public:
  explicit mpi_bytes(std::int64_t bytes) : count_(static_cast<int>(bytes)) {
    if (bytes <= std::numeric_limits<int>::max()) return;
    constexpr int piece = 1 << 20;
    MPI_Datatype pieces = MPI_DATATYPE_NULL;
    mpi_check("MPI_Type_contiguous", MPI_Type_contiguous(piece, MPI_BYTE, &pieces));
    int const lengths[]{static_cast<int>(bytes / piece), static_cast<int>(bytes % piece)};
    MPI_Aint const places[]{0, static_cast<MPI_Aint>(bytes / piece * piece)};
    MPI_Datatype const types[]{pieces, MPI_BYTE};
    int const failed = MPI_Type_create_struct(2, lengths, places, types, &made_);
    MPI_Type_free(&pieces);
    mpi_check("MPI_Type_create_struct", failed);
    mpi_check("MPI_Type_commit", MPI_Type_commit(&made_));
    count_ = 1;
  }
  ~mpi_bytes() {
    if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);  // MPI frees it after the messages that use it
  }
  mpi_bytes(mpi_bytes const&) = delete;
  mpi_bytes& operator=(mpi_bytes const&) = delete;

  int count() const { return count_; }
  MPI_Datatype type() const { return made_ == MPI_DATATYPE_NULL ? MPI_BYTE : made_; }

private:
  int count_;
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

}  // namespace tessera::detail
