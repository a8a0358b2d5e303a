// SPDX-License-Identifier: Apache-2.0
#pragma once
// One page about a run, without scripts and without other files: curves of its metrics, pictures, text.
//   run_report("digits")
//       .curves("run.csv")                                          what metrics has written, or another CSV file
//       .picture("one step", explain_svg<step, P, X>())             of view/explain_program.hpp, or to_svg(visualize(w))
//       .text("what a step sends", explain_text)
//       .write("run.html");

#include <tessera/data/mapped_file.hpp>

#include <string>
#include <string_view>

namespace tessera {

class run_report {
public:
  explicit run_report(std::string_view title);

  // A chart for each column, over the first one. Throws file_error as csv_file does.
  run_report& curves(std::string const& csv);
  run_report& picture(std::string_view caption, std::string_view svg);
  // The text unchanged, in letters of one width.
  run_report& text(std::string_view caption, std::string_view lines);

  std::string html() const;
  // Process 0 writes. Throws file_error.
  void write(std::string const& path) const;

private:
  std::string title_, parts_;
};

}  // namespace tessera
