// SPDX-License-Identifier: Apache-2.0
// What a run says of itself: progress with the time left, metrics that go on from a step, a page with their curves.

#include <tessera/data/metrics.hpp>
#include <tessera/data/progress_bar.hpp>
#include <tessera/data/run_report.hpp>

#include "support/file_of.hpp"

#include <cmath>
#include <regex>

namespace {

namespace ts = tessera;
using ts::testing::bytes_in;
using ts::testing::file_of;
using ts::testing::said_by;

TEST(progress_bar, says_how_long_it_will_take) {
  using ts::detail::progress_text;
  EXPECT_EQ(progress_text("epoch 3", 12, 24, 12, 3),
            "epoch 3 [================                ] 12/24  4 steps/s, 0:03 left");
  EXPECT_EQ(progress_text("a", 0, 10, 0, 5), "a [                                ] 0/10");
  EXPECT_EQ(progress_text("a", 10, 10, 10, 1200), "a [================================] 10/10  120 s/step, 0:00 left");
  EXPECT_EQ(progress_text("a", 1, 100000, 1, 0.5),
            "a [                                ] 1/100000  2 steps/s, 13:53:20 left");
  EXPECT_EQ(progress_text("a", 900, 1000, 100, 10),
            "a [============================    ] 900/1000  10 steps/s, 0:10 left")
      << "steps of an earlier run have another speed";
  EXPECT_EQ(progress_text("a", 0, 0, 0, 0), "a [================================] 0/0");
  ts::progress_bar bar("run", 3, 1);
  bar.step();
  EXPECT_EQ(bar.text().rfind("run [=====================           ] 2/3", 0), 0u) << bar.text();
}

TEST(metrics, a_line_for_each_step) {
  file_of const file("old", ".csv");
  {
    ts::metrics log(file.path(), {"loss", "a, \"b\""});
    EXPECT_EQ(bytes_in(file.path()), "step,loss,\"a, \"\"b\"\"\"\n");
    log.add(1, {0.5, 1e-9});
    EXPECT_EQ(bytes_in(file.path()), "step,loss,\"a, \"\"b\"\"\"\n1,0.5,1e-09\n") << "there as soon as add() returns";
    log.add(2, {std::nan(""), -HUGE_VAL});
    log.add(3, {1, 2});
    EXPECT_NE(said_by<std::invalid_argument>([&] { log.add(4, {1}); }).find("1 values for the 2 columns"),
              std::string::npos);
  }
  ts::metrics again(file.path(), {"loss", "a, \"b\""}, 2);
  again.add(2, {7, 8});
  EXPECT_EQ(bytes_in(file.path()), "step,loss,\"a, \"\"b\"\"\"\n1,0.5,1e-09\n2,7,8\n");
}

TEST(metrics, other_columns) {
  file_of const file("step,loss\n1,2\n", ".csv");
  EXPECT_EQ(
      said_by<ts::file_error>([&] { ts::metrics(file.path(), {"rate"}, 2); }),
      file.path() +
          ": byte 0: the file has other columns than step,rate. Fix: another file, or the names that it was begun with.");
  EXPECT_NE(said_by<ts::file_error>([&] { ts::metrics("no/such/folder.csv", {"rate"}); }).find("Fix: "),
            std::string::npos);
}

// A coordinate of the line, from the first to the last.
std::vector<double> xs_of(std::string const& html) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(html, found, std::regex("class=\"curve\" d=\"([^\"]*)\"")));
  std::vector<double> xs;
  std::string const path = found[1];
  std::regex const point("[ML]([-\\d.]+) ");
  for (std::sregex_iterator i(path.begin(), path.end(), point), end; i != end; ++i) xs.push_back(std::stod((*i)[1]));
  return xs;
}
TEST(run_report, one_file_with_curves_and_pictures) {
  std::string csv = "step,<loss>\n";
  for (int i = 0; i < 5000; ++i) csv += std::to_string(i) + ',' + std::to_string(std::exp(-0.001 * i)) + '\n';
  file_of const file(csv, ".csv"), out("", ".html");
  ts::run_report report("a < b");
  report.curves(file.path()).picture("plan", "<svg/>").text("sent", "x & y\n  z").write(out.path());
  std::string const html = bytes_in(out.path());
  EXPECT_EQ(html, report.html());
  for (std::string const part : {"<title>a &lt; b</title>", "&lt;loss&gt;", "lowest 0.006745 at 4999", "; logarithmic",
                                 "data:image/svg+xml;base64,PHN2Zy8+\"", "x &amp; y\n  z"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (std::string const part : {"<script", "http://", "https://", "nan"})
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  auto const xs = xs_of(html);
  EXPECT_LT(xs.size(), 1400u) << "as many points as pixels, not as values";
  EXPECT_TRUE(std::is_sorted(xs.begin(), xs.end()));
}

TEST(run_report, values_that_no_chart_can_show) {
  file_of const file("step,a,b,c,d\n0,nan,1e308,5,1\n1,nan,-1e308,5,inf\n2,inf,1e-300,5,3\n3,nan,nan,5,1e17\n", ".csv");
  std::string const html = ts::run_report("r").curves(file.path()).html();
  EXPECT_NE(html.find("no finite values"), std::string::npos);
  EXPECT_LT(html.size(), 20000u);
  file_of const near("step,a\n0,1e17\n1,100000000000000016\n", ".csv");
  EXPECT_LT(ts::run_report("r").curves(near.path()).html().size(), 20000u);
  file_of const bad("step,a\n0,x\n", ".csv");
  EXPECT_NE(said_by<ts::file_error>([&] { ts::run_report("r").curves(bad.path()); }).find(":2:3: 'x' is not a number"),
            std::string::npos);
}

}  // namespace
