// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks that all processes run the same program: before the first run, each sends a fingerprint of its plan. If they
// differ, all processes throw, naming the first process that differs from process 0 and the first difference.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/exec/run/bind.hpp>
#include <tessera/engine/exec/run/params_text.hpp>
#include <tessera/mesh/describe.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::detail {

// The lines of a plan: one for the mesh, one for each argument, one for each step and its results; then one for each
// operation, with its parameters and operands.
TESSERA_COLD inline std::vector<std::string> lines_of(plan_view const& plan) {
  mesh_value const& mesh = *plan.local.mesh;
  std::vector<std::string> lines{describe(mesh, "Mesh")};
  auto const value = [&](int id) {
    array_value const& v = plan.local[id].facts;
    std::string text(name_of(v.element));
    text += '[';
    for (int d = 0; d < v.rank; ++d) (text += d ? "," : "") += std::to_string(v.extent(d));
    text += ']';
    for (int a = 0; a < mesh.rank; ++a)
      if (v.varying.contains(a)) (text += ' ') += mesh.name(a);
    return text;
  };
  for (int i = 0; i < plan.local.input_count; ++i) {
    std::string line = "argument " + std::to_string(i);
    lines.push_back((line += ": ") += value(plan.local.inputs[i]));
  }
  for (int s = 0; s < plan.step_count; ++s) {
    step const& at = plan.steps[s];
    std::string line = label_of(plan, at);
    line += " ->";
    for (int k = 0; k < at.outputs.count; ++k) (line += ' ') += value(plan.lists[at.outputs.first + k]);
    lines.push_back(std::move(line));
  }
  for (int id = 0; id < plan.local.node_count; ++id) {
    node const& n = plan.local[id];
    std::string line(n.op->name);
    if (n.at.line) (line += ' ') += text_of(n.at);
    line += ':';
    line += params_writer().text(n.attrs, n.op->message);
    line += " of";
    for (int k = 0; k < n.operand_count; ++k) (line += ' ') += std::to_string(plan.local.operand(id, k));
    line += " -> ";
    line += value(id);
    lines.push_back(std::move(line));
  }
  for (int i = 0; i < plan.local.output_count; ++i)
    lines.push_back("result " + std::to_string(i) + ": of " + std::to_string(plan.local.outputs[i]));
  return lines;
}

// The FNV-1a hash.
inline std::uint64_t fingerprint_of(std::vector<std::string> const& lines) {
  std::uint64_t hash = 14695981039346656037u;
  for (auto const& line : lines)
    for (char c : line + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

[[noreturn]] TESSERA_COLD inline void different_programs(channel& all, std::vector<std::string> const& own,
                                                         std::vector<std::uint64_t> const& prints, int other) {
  // All processes receive the texts of process 0 and of `other`, padded to the length of the longest.
  std::string text;
  for (auto const& line : own) (text += line) += '\n';
  auto longest = static_cast<std::int64_t>(text.size());
  all.all_reduce(&longest, &longest, 1, dtype::int64, monoid::max, "a program's text").wait();
  text.resize(longest, '\0');
  std::string first = text, second = text;
  all.broadcast(first.data(), longest, 0, "a program's text").wait();
  all.broadcast(second.data(), longest, other, "a program's text").wait();
  auto const line_at = [](std::string const& all_lines, std::size_t at) {
    auto const begin = all_lines.rfind('\n', at == 0 ? 0 : at - 1);
    auto const from = begin == std::string::npos || at == 0 ? 0 : begin + 1;
    std::string line = all_lines.substr(from, all_lines.find_first_of(std::string("\n\0", 2), from) - from);
    return line.empty() ? std::string("nothing more") : line;
  };
  auto const differ =
      static_cast<std::size_t>(std::mismatch(first.begin(), first.end(), second.begin()).first - first.begin());
  std::string message = "tessera: the processes run different programs: ";
  message += std::to_string(std::count(prints.begin(), prints.end(), prints[0]));
  message += " of " + std::to_string(prints.size());
  message += " run process 0's, process " + std::to_string(other);
  message += " does not. The first difference:\n  process 0: ";
  message += line_at(first, differ);
  message += "\n  process " + std::to_string(other) + ": " + line_at(second, differ);
  throw std::logic_error(message +
                         "\nFix: the same calls, in the same order, with arguments of the same shapes, in all "
                         "processes.");
}

TESSERA_COLD inline void require_same_lines(mesh_value const& mesh, std::vector<std::string> const& lines,
                                            std::string const& label) {
  channel& all = *static_cast<mesh_processes const*>(mesh.processes)->all;
  std::uint64_t const own = fingerprint_of(lines);
  std::vector<std::uint64_t> prints(all.size());
  all.all_gather(prints.data(), &own, sizeof own, label).wait();
  auto const other = std::find_if(prints.begin(), prints.end(), [&](std::uint64_t p) { return p != prints[0]; });
  if (other != prints.end()) different_programs(all, lines, prints, static_cast<int>(other - prints.begin()));
}

// A collective of the mesh's processes; throws in all of them.
TESSERA_COLD inline void require_same_program(plan_view const& plan) {
  if (!plan.local.mesh->processes) return;
  auto const lines = lines_of(plan);
  int const last = plan.step_count - 1;
  require_same_lines(*plan.local.mesh, lines,
                     "the fingerprint of " + (last >= 0 ? label_of(plan, plan.steps[last]) : lines.back()));
}

}  // namespace tessera::detail
