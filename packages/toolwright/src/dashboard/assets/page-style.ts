/** How pages look, in light and in dark, on wide and narrow screens. */
export const STYLE = `
:root { color-scheme: light dark; --back: light-dark(#f4f5f7, #121417); --card: light-dark(#ffffff, #1d2025); --sunk: light-dark(#e9ebef, #17191d); --text: light-dark(#191c20, #e7e9ec); --soft: light-dark(#565e69, #a2abb7); --rule: light-dark(#d9dde3, #31363f); --field: light-dark(#858d98, #727b88); --link: light-dark(#0a58a8, #82b9ff); --blue: light-dark(#0a58a8, #82b9ff); --green: light-dark(#17693a, #6fd197); --red: light-dark(#b3261e, #ff9a90); --amber: light-dark(#8a5200, #f3bd63); --grey: light-dark(#5b6470, #a3acb8); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scrollbar-gutter: stable; scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 0 clamp(0.8rem, 2.5vw, 2.2rem) 2rem; max-width: 96rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.4rem 0.8rem; z-index: 3; }
h1 { font-size: clamp(1.3rem, 3.5vw, 1.75rem); line-height: 1.25; margin: 0 0 0.6rem; letter-spacing: -0.012em; }
h2 { font-size: 1.02rem; margin: 0 0 0.55rem; letter-spacing: -0.005em; }
p { margin: 0 0 0.6rem; }
code, kbd, .id { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
kbd { border: 1px solid var(--field); border-bottom-width: 2px; border-radius: 4px; padding: 0.05em 0.45em; }
button, input, select { font: inherit; font-size: 0.92rem; color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: 7px; padding: 0 0.7rem; height: 2.2rem; min-width: 0; }
input[type="checkbox"] { height: auto; }
button { cursor: pointer; }
button:hover { border-color: var(--text); }
button.main { background: light-dark(#0a58a8, #1f6fc4); border-color: transparent; color: #fff; font-weight: 600; }
input::placeholder { color: var(--soft); opacity: 1; }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.4rem; padding: 0.9rem 0 0.8rem; margin-bottom: 1.1rem; border-bottom: 1px solid var(--rule); }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; color: var(--text); font-weight: 650; font-size: 1.08rem; text-decoration: none; letter-spacing: -0.01em; }
.brand svg { width: 1.35rem; height: 1.35rem; fill: var(--blue); }
.top nav ul { display: flex; flex-wrap: wrap; gap: 0.15rem; list-style: none; margin: 0; padding: 0; }
.top nav a { display: block; padding: 0.28rem 0.7rem; border-radius: 7px; color: var(--soft); text-decoration: none; font-size: 0.95rem; }
.top nav a:hover { color: var(--text); background: var(--sunk); }
.top nav a[aria-current] { color: var(--text); background: var(--sunk); font-weight: 600; }
.search { display: flex; gap: 0.4rem; margin-left: auto; }
.search input { width: 15rem; }
.live { display: flex; align-items: center; gap: 0.4rem; width: 3.6rem; margin: 0; font-size: 0.82rem; color: var(--soft); }
.live::before { content: ""; width: 0.55rem; height: 0.55rem; border-radius: 50%; border: 2px solid var(--grey); }
.live.on::before { background: var(--green); border-color: var(--green); }
.foot { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: space-between; align-items: center; margin-top: 2.5rem; padding-top: 0.9rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: 0.85rem; }
.foot p { margin: 0; min-height: 2.2rem; align-content: center; }
.sum, .none, .soft, .note { color: var(--soft); font-size: 0.92rem; }
.note { background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--blue); border-radius: 8px; padding: 0.6rem 0.9rem; max-width: 60rem; }
.fault { color: var(--red); font-weight: 600; }

.filter { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin-bottom: 0.9rem; }
.filter label { display: grid; gap: 0.15rem; }
.filter label span { font-size: 0.8rem; color: var(--soft); }
.filter .wide { flex: 0 1 20rem; }
.board { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1rem; align-items: start; }
.board.alone { grid-template-columns: minmax(0, 1fr); }
.column { background: var(--sunk); border-radius: 12px; padding: 0.8rem; border-top: 3px solid var(--grey); }
.column.is-in_progress { border-top-color: var(--blue); }
.column.is-completed { border-top-color: var(--green); }
.column.is-failed { border-top-color: var(--red); }
.column h2 { display: flex; justify-content: space-between; align-items: baseline; gap: 0.5rem; margin: 0 0.2rem 0.7rem; }
.column h2 a { color: inherit; text-decoration: none; }
.column h2 a:hover { text-decoration: underline; }
.count { font-weight: 500; font-size: 0.86rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.column .none { margin: 0.2rem; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.5rem; }
.alone .cards, .cards.grid { grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 9px; padding: 0.6rem 0.75rem 0.55rem; position: relative; }
.card:hover { border-color: var(--field); }
.card a { color: var(--text); text-decoration: none; display: block; line-height: 1.38; }
.card a::after { content: ""; position: absolute; inset: 0; border-radius: 9px; }
.card a:hover { text-decoration: underline; }
.card:focus-within { border-color: var(--link); }
.card a:focus-visible { outline: none; }
.card a:focus-visible::after { outline: 3px solid var(--link); outline-offset: 1px; }
.is-completed .card a, .is-failed .card a { color: var(--soft); }
.is-completed .card .priority, .is-failed .card .priority { color: var(--soft); background: none; border-color: var(--rule); }
.marks { display: flex; flex-wrap: wrap; gap: 0.3rem; align-items: center; margin: 0.4rem 0 0; font-size: 0.76rem; }
.mark, .priority { border-radius: 99px; padding: 0.05rem 0.5rem; border: 1px solid currentColor; white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; color: var(--grey); font-size: 0.76rem; line-height: 1.45; }
.priority { border-radius: 5px; border-color: var(--rule); color: var(--soft); font-weight: 600; padding: 0.05rem 0.4rem; position: relative; }
.priority.p1 { color: #fff; background: light-dark(#b3261e, #b3261e); border-color: transparent; }
.priority.p2 { color: var(--amber); border-color: currentColor; }
.mark.is-ready, .mark.is-completed { color: var(--green); }
.mark.is-blocked, .mark.is-failed { color: var(--red); }
.mark.is-claimed, .mark.is-in_progress { color: var(--blue); }
.id { color: var(--soft); margin-left: auto; font-size: 0.74rem; }
.more { margin: 0.7rem 0.2rem 0; font-size: 0.92rem; }
@keyframes fresh { from { background: light-dark(#fff1c2, #4b4021); } }
.fresh { animation: fresh 2.5s ease-out; }

.trail ol { display: flex; flex-wrap: wrap; gap: 0.2rem 0.5rem; list-style: none; margin: 0 0 0.7rem; padding: 0; font-size: 0.92rem; }
.trail li + li::before, .trail li:last-child::after { content: "›"; color: var(--soft); margin-right: 0.5rem; }
.trail li:last-child::after { margin: 0 0 0 0.5rem; }
.task > header { margin-bottom: 1rem; }
.task header .marks { margin: 0 0 0.5rem; }
.task .id { margin-left: 0.3rem; font-size: 0.8rem; }
.card .id { margin-left: auto; }
.sides { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.2rem; align-items: start; }
.sides > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.2rem; }
.task section, .unlock { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 0.9rem 1.05rem; }
.task section > :last-child { margin-bottom: 0; }
.task .card { background: var(--back); }
.prose { white-space: pre-wrap; max-width: 75ch; }
.facts { display: grid; gap: 0.3rem; margin: 0; }
.facts div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.6rem; font-size: 0.94rem; }
.facts dt { color: var(--soft); }
.facts dd, .numbers dd { margin: 0; font-variant-numeric: tabular-nums; }
.tree, .waits, .waits ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.4rem; }
.tree .tree, .waits ul { margin: 0.4rem 0 0 0.4rem; padding-left: 0.9rem; border-left: 2px solid var(--rule); }
.changes-bar { display: flex; flex-wrap: wrap; gap: 0.8rem; margin-bottom: 1.2rem; }
.changes-bar form { display: flex; gap: 0.4rem; align-items: center; }
.unlock { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; max-width: 34rem; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--rule); display: grid; gap: 0.75rem; }
.timeline > li { position: relative; border-radius: 6px; }
.timeline > li::before { content: ""; position: absolute; left: calc(-1.1rem - 6px); top: 0.42rem; width: 10px; height: 10px; border-radius: 50%; background: var(--grey); box-shadow: 0 0 0 3px var(--back); }
.timeline > .is-in_progress::before { background: var(--blue); }
.timeline > .is-completed::before { background: var(--green); }
.timeline > .is-failed::before { background: var(--red); }
.timeline p { margin: 0; }
.deed { font-size: 0.95rem; }
.when { color: var(--soft); font-size: 0.86rem; }
.changes { margin: 0.15rem 0 0; padding: 0; list-style: none; font-size: 0.88rem; color: var(--soft); }
ins { text-decoration: none; color: var(--text); }
.why { font-size: 0.9rem; border-left: 3px solid var(--rule); padding-left: 0.6rem; margin-top: 0.25rem !important; }

.choices a { padding: 0.2rem 0.6rem; border-radius: 7px; }
.choices a[aria-current] { background: var(--sunk); color: var(--text); text-decoration: none; font-weight: 600; }
figure { margin: 0 0 1.6rem; }
.chart { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 0.9rem 1.05rem; }
figcaption { font-size: 0.92rem; margin-bottom: 0.5rem; }
.legend { display: inline-flex; gap: 0.8rem; margin-left: 0.6rem; color: var(--soft); }
.key::before { content: ""; display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; margin-right: 0.35rem; vertical-align: -0.06rem; background: var(--blue); }
.key.b::before { background: var(--green); }
.bars { display: block; width: 100%; height: auto; overflow: visible; }
.bars .a, .plot polyline { fill: var(--blue); }
.bars .b { fill: var(--green); }
.bars line { stroke: var(--rule); }
.bars text { fill: var(--soft); font-size: 11px; }
summary { cursor: pointer; font-size: 0.92rem; }
.scroll { overflow: auto; max-width: 100%; }
.chart .scroll { max-height: 22rem; margin-top: 0.6rem; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; min-width: min(100%, 30rem); }
th, td { text-align: left; padding: 0.3rem 1.2rem 0.3rem 0; border-bottom: 1px solid var(--rule); font-weight: 400; white-space: nowrap; }
thead th { color: var(--soft); font-size: 0.85rem; }
.picture { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 0.7rem; margin-bottom: 1rem; max-height: 75vh; }
.graph { display: block; }
.graph text { fill: var(--text); font-size: 12.5px; }
.node rect { fill: var(--back); stroke: var(--field); }
.node .edge { fill: var(--grey); stroke: none; }
.node:hover rect:first-of-type { stroke: var(--link); stroke-width: 2; }
.node:focus-visible { outline: none; }
.node:focus-visible rect:first-of-type { stroke: var(--link); stroke-width: 3; }
.node.is-in_progress .edge { fill: var(--blue); }
.node.is-completed .edge { fill: var(--green); }
.node.is-blocked .edge, .node.is-failed .edge { fill: var(--red); }
.edges path { fill: none; stroke: var(--field); stroke-width: 1.3; }
.graph marker path { fill: var(--field); }
.numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0.6rem; margin: 0 0 1.5rem; }
.numbers div, .plots figure, .packs li { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 0.55rem 0.85rem; }
.numbers dt { font-size: 0.8rem; color: var(--soft); }
.numbers dd { font-size: 1.12rem; font-weight: 600; letter-spacing: -0.01em; white-space: nowrap; }
main section { margin-bottom: 1.6rem; }
.task section, .column { margin-bottom: 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 0.8rem; }
.plots figure { margin: 0; }
.plot { display: block; width: 100%; height: 4rem; }
.plot polyline { fill: none; stroke: var(--blue); stroke-width: 1.6; vector-effect: non-scaling-stroke; }
.plot polygon { fill: var(--blue); opacity: 0.14; }
.packs { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.5rem; }
.tools { margin: 0.5rem 0 0.2rem; font-size: 0.94rem; line-height: 1.8; }
dialog { border: 1px solid var(--rule); border-radius: 12px; background: var(--card); color: var(--text); padding: 1.2rem 1.4rem; max-width: min(26rem, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
.keys { display: grid; gap: 0.4rem; margin: 0 0 0.9rem; }
.keys div { display: grid; grid-template-columns: 5rem 1fr; }
.keys dd { margin: 0; }
.top nav + .live { margin-left: auto; }
.task .chart { margin: 0; }
.mark.is-weak { color: var(--amber); }
.card .soft { margin: 0.25rem 0 0; font-size: 0.86rem; }
.below { margin-top: 1.8rem; }
.about .marks { margin-bottom: 0.6rem; }
.progress { display: flex; gap: 0.6rem; align-items: center; font-size: 0.86rem; color: var(--soft); font-variant-numeric: tabular-nums; }
progress { width: min(100%, 16rem); height: 0.6rem; accent-color: light-dark(#0a58a8, #82b9ff); }
.timeline + details { margin-top: 0.8rem; }
.left { list-style: none; margin: 0.6rem 0 0; padding: 0; display: grid; gap: 0.5rem; font-size: 0.9rem; }
.documents { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.3rem; font-size: 0.94rem; }
.documents code, .place code { color: var(--soft); }
.hits { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.8rem; }
.hit { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 0.8rem 1.05rem; }
.hit h2 { margin: 0; font-size: 1.05rem; }
.hit > :last-child { margin-bottom: 0; }
.place { margin: 0.1rem 0 0.5rem; font-size: 0.9rem; }
.passage { white-space: pre-wrap; max-width: 90ch; font-size: 0.95rem; margin-bottom: 0.6rem; }
mark { background: light-dark(#ffe9a3, #5a4a12); color: inherit; border-radius: 3px; }
.score { display: flex; gap: 0.7rem; align-items: center; font-variant-numeric: tabular-nums; font-size: 0.9rem; margin-bottom: 0.3rem; }
.bar { display: block; width: min(70%, 22rem); height: 0.6rem; border-radius: 99px; }
.bar .rail { fill: var(--sunk); }
.bar .a { fill: var(--blue); }
.bar .b { fill: var(--green); }
.hit .scroll { margin-top: 0.6rem; }
.lines { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; margin: 0 0 1rem; padding: 0.7rem 0.8rem 0.7rem 3.8rem; font: 0.86rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.lines li { white-space: pre-wrap; min-height: 1.55em; padding-left: 0.6rem; border-left: 3px solid transparent; scroll-margin-top: 30vh; }
.lines li::marker { color: var(--soft); }
.lines .cited { border-left-color: var(--amber); background: light-dark(#fff8e1, #2b2614); }
.lines mark { background: none; }
@media (max-width: 70rem) { .board { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 52rem) { .search { margin-left: 0; order: 3; flex: 1 1 100%; } .search input { flex: 1; width: auto; } .live { margin-left: auto; } .sides { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) { .board { grid-template-columns: minmax(0, 1fr); } .filter .wide { flex: 1 1 100%; } .filter label { flex: 1 1 6rem; } .top { gap: 0.5rem 0.8rem; } .top nav { order: 2; flex: 1 1 100%; } .top nav ul { margin-left: -0.7rem; } .facts div { grid-template-columns: 6rem minmax(0, 1fr); } .bars text { font-size: 20px; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media print { .top, .filter, .foot { display: none; } }
`;
