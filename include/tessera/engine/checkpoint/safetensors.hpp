// SPDX-License-Identifier: Apache-2.0
#pragma once
// The head of a safetensors file: eight bytes with the size of a JSON object, then this object with the dtype, shape
// and offsets of each tensor; the tensors follow without gaps. Source: the format's description
// (github.com/huggingface/safetensors, README).

#include <tessera/aval/dtype.hpp>
#include <tessera/engine/checkpoint/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

struct stored_tensor {
  std::string name, dtype;  // dtype: the format's name, such as F32
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0, end = 0;  // bytes after the head
};

// Complex numbers are written as their two parts, along one more dimension: C64 is newer than most readers.
struct written_dtype {
  std::string_view name;
  bool as_two_parts = false;
};
constexpr written_dtype safetensors_dtype(dtype element) {
  constexpr written_dtype names[]{{"BOOL"}, {"I8"},  {"I16"}, {"I32"},       {"I64"},      {"U8"},
                                  {"U16"},  {"U32"}, {"U64"}, {"F8_E4M3"},   {"F8_E5M2"},  {"F16"},
                                  {"BF16"}, {"F32"}, {"F64"}, {"F32", true}, {"F64", true}};
  return names[static_cast<int>(element)];
}
// Finds the dtype of the format's name; false if there is none.
inline bool dtype_in_safetensors(std::string_view name, dtype& element) {
  for (int d = 0; d <= static_cast<int>(dtype::float64); ++d)
    if (safetensors_dtype(static_cast<dtype>(d)).name == name) {
      element = static_cast<dtype>(d);
      return true;
    }
  element = dtype::complex64;
  return name == "C64";
}

// The format's limit for the bytes of a head.
inline constexpr std::int64_t most_head = 100'000'000;

// The head, padded so that the tensors begin at a multiple of 4096 bytes.
inline std::string safetensors_head(std::vector<stored_tensor> const& tensors) {
  std::string json = "{\"__metadata__\":{\"format\":\"tessera\"}";
  for (auto const& t : tensors) {
    json += ',';
    append_json(json, t.name);
    json += ":{\"dtype\":\"";
    json += t.dtype;
    json += "\",\"shape\":[";
    for (std::size_t d = 0; d < t.shape.size(); ++d) {
      if (d) json += ',';
      append_number(json, t.shape[d]);
    }
    json += "],\"data_offsets\":[";
    append_number(json, t.begin);
    json += ',';
    append_number(json, t.end);
    json += "]}";
  }
  json += '}';
  constexpr std::size_t page = 4096;
  json.resize((json.size() + 8 + page - 1) / page * page - 8, ' ');
  std::string head(8, '\0');
  std::uint64_t const size = json.size();
  std::memcpy(head.data(), &size, 8);
  head += json;
  return head;
}

// The extents times the bytes per element; -1 if strides of this shape would not fit in 63 bits.
inline std::int64_t bytes_of_shape(std::vector<std::int64_t> const& shape, std::int64_t element) {
  std::int64_t product = element;
  bool empty = false;
  for (auto extent : shape) {
    empty = empty || extent == 0;
    if (extent > std::numeric_limits<std::int64_t>::max() / product) return -1;
    product *= std::max<std::int64_t>(extent, 1);
  }
  return empty ? 0 : product;
}

// Reads the JSON of a head (without the eight bytes) whose tensors take `data_bytes`. Throws checkpoint_error.
inline std::vector<stored_tensor> read_safetensors_head(std::string_view json, std::int64_t data_bytes,
                                                        std::string const& path) {
  std::vector<stored_tensor> tensors;
  json_reader reader(json, path);
  reader.object([&](std::string const& name) {
    if (name == "__metadata__") {
      reader.object([&](std::string const&) { reader.string(); });
      return;
    }
    stored_tensor t;
    t.name = name;
    int found = 0;
    reader.object([&](std::string const& key) {
      if (key == "dtype") {
        t.dtype = reader.string();
        found |= found & 1 ? 8 : 1;
      } else if (key == "shape") {
        reader.array([&] { t.shape.push_back(reader.size()); });
        found |= found & 2 ? 8 : 2;
      } else if (key == "data_offsets") {
        std::vector<std::int64_t> ends;
        reader.array([&] { ends.push_back(reader.size()); });
        if (ends.size() != 2) reader.fail("data_offsets are two numbers");
        t.begin = ends[0];
        t.end = ends[1];
        found |= found & 4 ? 8 : 4;
      } else {
        reader.any();
      }
    });
    if (found != 7) reader.fail("a tensor has dtype, shape and data_offsets, each once");
    tensors.push_back(std::move(t));
  });
  reader.end();

  auto const wrong = [&](stored_tensor const& t, std::string_view what) {
    std::string text;
    append_shown(text, t.name);
    text += ' ';
    text += what;
    refuse_checkpoint(path, text, "another copy of the file, this one is damaged or no safetensors file");
  };
  std::sort(tensors.begin(), tensors.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (tensors[i].name == tensors[i - 1].name) wrong(tensors[i], "stands twice in the head");
  std::sort(tensors.begin(), tensors.end(),
            [](auto const& a, auto const& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  std::int64_t at = 0;
  for (auto const& t : tensors) {
    if (t.begin != at || t.end < t.begin) wrong(t, "does not begin where the tensor before it ends");
    if (t.end > data_bytes) wrong(t, "ends beyond the end of the file: it was cut off");
    dtype element{};
    if (dtype_in_safetensors(t.dtype, element) && bytes_of_shape(t.shape, bytes_of(element)) != t.end - t.begin)
      wrong(t, "has another number of bytes than its dtype and shape");
    at = t.end;
  }
  if (at != data_bytes)
    refuse_checkpoint(path, "has bytes behind its last tensor", "another copy of the file, this one is damaged");
  return tensors;
}

}  // namespace tessera::detail
