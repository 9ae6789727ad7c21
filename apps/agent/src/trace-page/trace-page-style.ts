/** The style of the page, for light and dark. Steps differ in colour and in pattern; the figures say the same. */
export const TRACE_PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2128; --muted: #59636e; --line: #d8dee4; --row: #f6f8fa; --head: #ffffff;
  --queue: #c4ccd5; --spawn: #0b7285; --initialize: #b5790b; --list: #2b8a3e; --bad: #c92a2a; --warn: #8a5a00;
  --good: #1f7a33; --gate: #6f42c1; --focus: #0b5ed7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --text: #e3e8ee; --muted: #9aa7b4; --line: #2d3640; --row: #191f27; --head: #12161c;
    --queue: #4a5665; --spawn: #3bc0d6; --initialize: #e0a93b; --list: #4fbf67; --bad: #ff7b72; --warn: #e3b341;
    --good: #5fce78; --gate: #b794f6; --focus: #7ab7ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 100rem; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.35rem; font-weight: 650; }
header p { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
header p.summary { color: var(--text); margin-top: .35rem; }
ul.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0 .75rem; padding: 0; list-style: none;
  color: var(--muted); }
ul.legend li { display: flex; align-items: center; gap: .4rem; }
ul.legend i { display: inline-block; width: 1.5rem; height: .7rem; border-radius: 2px; }
ul.legend i.gate { width: 0; height: 1rem; border-left: 2px dashed var(--gate); border-radius: 0; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, th button:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
table { width: 100%; min-width: 56rem; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .22rem .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { vertical-align: bottom; border-bottom: 2px solid var(--line); font-weight: 600; color: var(--muted);
  white-space: nowrap; }
tbody:nth-of-type(even) { background: var(--row); }
tbody tr:not(:last-child) > * { border-bottom: 0; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 15rem; max-width: 24rem; }
tbody th small { display: inline-block; margin-left: .5rem; font-weight: 400; color: var(--muted); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.timeline, th.timeline { width: 45%; }
th button { all: unset; cursor: pointer; }
th { position: relative; }
th button::after { content: "\\2195"; opacity: 0; position: absolute; right: 0; bottom: .22rem; width: .6rem; }
th button:hover::after, th button:focus-visible::after { opacity: .6; }

th:not(.number) button::after { position: static; margin-left: .3rem; }
th[aria-sort="ascending"] button::after { content: "\\2191"; opacity: 1; }
th[aria-sort="descending"] button::after { content: "\\2193"; opacity: 1; }
.state { white-space: nowrap; }
.state.good { color: var(--good); } .state.bad { color: var(--bad); font-weight: 600; } .state.warn { color: var(--warn); }
.state small { color: var(--muted); font-weight: 400; }
.axis, .bar { position: relative; display: block; height: 1.1rem; min-width: 12rem; }
.axis span { position: absolute; bottom: 0; font-weight: 400; padding-left: .25rem; border-left: 1px solid var(--line);
  white-space: nowrap; }
.bar { margin-top: .1rem; }
.bar i { position: absolute; top: .15rem; bottom: .15rem; min-width: 2px; }
.queue { background: var(--queue); }
.bar .queue { top: .42rem; bottom: .42rem; }
.spawn { background: var(--spawn); }
.initialize { background: repeating-linear-gradient(135deg, var(--initialize) 0 5px,
  color-mix(in srgb, var(--initialize) 65%, transparent) 5px 8px); }
.list { background: var(--list); }
.bar .end { width: 4px; min-width: 4px; margin-left: -2px; background: var(--bad); top: 0; bottom: 0; }
.bar .pending { opacity: .55; }
.bar .gate { top: -.3rem; bottom: -.3rem; width: 0; min-width: 0; border-left: 2px dashed var(--gate); opacity: .75; }
.reason { padding-top: 0; padding-left: 1.5rem; color: var(--bad); font-size: .93em; white-space: pre-wrap; overflow-wrap: anywhere; }
.reason.warn { color: var(--warn); }
footer { margin-top: 1rem; color: var(--muted); }
@media print { body { max-width: none; padding: 0; } th button::after { content: ""; } }
`;
