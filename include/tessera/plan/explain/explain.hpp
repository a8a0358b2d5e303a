// SPDX-License-Identifier: Apache-2.0
#pragma once
// explain(cost): the communication of a program as a table: collective, axes, bytes, the operation, its line and, if
// there is a gradient, its pass; then totals by axis, kind, pass and line. For loops: bytes per iteration, iterations,
// and their product. Bytes are polynomials where sizes are unknown.
// explain(prediction): its times in microseconds.
// explain(memory): the memory of a device at the worst step, and the lines that cause it.

#include <tessera/aval/describe.hpp>
#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/explain/text_table.hpp>
#include <tessera/plan/sizes/cost_of_sizes.hpp>

#include <array>
#include <string>

namespace tessera {

struct memory_use;  // plan/memory/memory_use.hpp
struct prediction;  // plan/cost/predict.hpp

namespace detail {
// The engine has the versions for std::string: engine/plan/explain/explain.hpp. Templates, so that they are compiled
// only where they are called.
template <class Text>
Text explain_messages(message const* messages, std::size_t count, mesh_value const& mesh, std::int64_t bytes,
                      std::int64_t peak);
template <class Text>
Text explain_messages(message const* messages, std::size_t count, mesh_value const& mesh,
                      size_polynomial const* of_turn, size_polynomial const* in_all, size_polynomial const& bytes);
}  // namespace detail

template <Mesh M, std::size_t Messages>
std::string explain(communication<M, Messages> const& cost) {
  return detail::explain_messages<std::string>(cost.messages().data(), Messages, M::value, cost.bytes(),
                                               cost.peak_bytes());
}

template <Mesh M, std::size_t Messages>
std::string explain(communication_of_sizes<M, Messages> const& cost) {
  std::array<size_polynomial, Messages> of_turn{}, in_all{};
  for (std::size_t i = 0; i != Messages; ++i) {
    of_turn[i] = cost.bytes_of_turn(i);
    in_all[i] = cost.bytes_of(i);
  }
  return detail::explain_messages<std::string>(cost.messages().data(), Messages, M::value, of_turn.data(),
                                               in_all.data(), cost.bytes());
}

namespace detail {

template <class Memory, class Text>
Text memory_table(Memory const& memory) {
  if (!memory.known()) return "  memory of unknown sizes\n";
  growable<std::array<Text, 3>> kinds;
  kinds.push_back({"memory per device", "bytes", ""});
  kinds.push_back({"arguments", std::to_string(memory.arguments), ""});
  kinds.push_back({"results", std::to_string(memory.results), ""});
  Text const where = memory.temporaries ? "at " + line_text<Text>(memory.at) : Text();
  kinds.push_back({"temporaries", std::to_string(memory.temporaries), where});
  kinds.push_back({"peak", std::to_string(memory.peak), ""});
  if (memory.on_host > 0) {
    auto const moved = [](std::int64_t bytes) { return bytes == dynamic ? Text("some") : Text(std::to_string(bytes)); };
    kinds.push_back({"in host memory", std::to_string(memory.on_host),
                     "moved there " + moved(memory.to_host) + ", back " + moved(memory.to_device)});
  }
  Text const kept = memory.kept_for_backward ? "  the backward pass reads " + std::to_string(memory.kept_for_backward) +
                                                   " bytes that the forward pass keeps for it\n"
                                             : Text();
  growable<std::array<Text, 6>> values;
  values.push_back({"at the peak", "bytes", "pass", "made by", "line", "scope"});
  bool gradient = false;
  for (auto const& v : memory.at_peak) gradient = gradient || v.at.pass != program_pass::forward;
  for (auto const& v : memory.at_peak) {
    Text block;
    describe_to(block, v.block, mesh_value{});
    values.push_back({block, std::to_string(v.bytes), gradient ? Text(name_of(v.at.pass)) : "",
                      v.made_by ? Text(v.made_by->name) : "", line_text<Text>(v.at), scope_text<Text>(v.at)});
  }
  return text_table<3>(kinds, 2) + kept + (memory.at_peak.empty() ? Text() : text_table<6>(values, 2));
}

}  // namespace detail

// The table of memory_of<F, Args...>: totals by kind, then the largest temporaries at the peak as one device's blocks.
template <class Memory>
  requires std::is_same_v<Memory, memory_use> std::string explain(Memory const& memory) {
    return detail::memory_table<Memory, std::string>(memory);
  }

template <class Prediction>
  requires std::is_same_v<Prediction, prediction> std::string explain(Prediction const& p) {
    auto const in = [](double seconds) { return std::to_string(seconds * 1e6) + " us"; };
    return "  on the device " + in(p.on_device) + " (compute " + in(p.compute) + ", memory " + in(p.memory) +
           "), communication " + in(p.communication) + "; together " + in(p.total()) + ", overlapped " +
           in(p.overlapped()) + (p.exact ? "\n" : ", at least\n");
  }

}  // namespace tessera
