// SPDX-License-Identifier: Apache-2.0
#pragma once
// The style and the script of the page that explains a program.

#include <fstream>

namespace tessera::detail {

inline constexpr std::string_view page_style = R"css(
:root{--line:#d5dbe3;--soft:#f4f6f9;--text:#16202c;--dim:#5b6776}
*{box-sizing:border-box}
body{margin:0;font:14px/1.45 system-ui,sans-serif;color:var(--text);background:#fff}
header,section{padding:12px 20px}
header{border-bottom:1px solid var(--line)}
h1{font-size:18px;margin:0 0 4px}h2{font-size:15px;margin:0 0 8px}
code,pre,table,.op{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12.5px}
.dim{color:var(--dim)}
main{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
main>section{height:86vh;overflow:auto;border-right:1px solid var(--line)}
table{border-collapse:collapse}td,th{padding:1px 14px 1px 0;text-align:left}td.n,th.n{text-align:right}
.op{padding:2px 6px;border-left:4px solid #9db4d3;margin:1px 0;white-space:nowrap;cursor:pointer}
.op.backward{border-color:#e39b78}.op.recomputed{border-color:#9cc07a}
.op .line{float:right;color:var(--dim)}
.message{white-space:normal;margin:2px 0 2px 18px;padding:1px 6px;border-radius:3px}
.lit{background:#fff3bf}
.source div{white-space:pre;font:12.5px/1.45 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;cursor:pointer;padding:0 4px}
.source .number{display:inline-block;width:4em;color:var(--dim);text-align:right;padding-right:1em}
.source .sends{font-weight:bold}
.axis{border-radius:3px;padding:0 2px}
.tools{position:sticky;top:-12px;background:#fff;padding:6px 0;z-index:1}
svg{max-width:none}.picture{overflow:auto;max-height:90vh}
)css";
inline constexpr std::string_view page_script = R"js(
"use strict";
const operations = [...document.querySelectorAll(".op")], lines = [...document.querySelectorAll("[data-source]")];
function light(at) {
  for (const x of document.querySelectorAll(".lit")) x.classList.remove("lit");
  const same = operations.filter(x => x.dataset.at === at), line = lines.find(x => x.dataset.source === at);
  for (const x of same) x.classList.add("lit");
  if (line) line.classList.add("lit");
  return { same, line };
}
for (const x of operations) x.addEventListener("click", () => {
  const { line } = light(x.dataset.at);
  if (line) line.scrollIntoView({ block: "center" });
});
for (const x of lines) x.addEventListener("click", () => {
  const { same } = light(x.dataset.source);
  if (same.length) same[0].scrollIntoView({ block: "center" });
});
const word = document.getElementById("word"), sending = document.getElementById("sending");
function filter() {
  const wanted = word.value.toLowerCase();
  for (const x of operations)
    x.hidden = !x.textContent.toLowerCase().includes(wanted) || (sending.checked && !x.querySelector(".message"));
}
word.addEventListener("input", filter);
sending.addEventListener("change", filter);
document.body.dataset.ready = operations.length;
)js";

}  // namespace tessera::detail
