/** The colors of the heat scale, coolest first: for light and dark mode, each with its text color. */
const HEATS: readonly (readonly [light: string, dark: string, letters: string])[] = [
  ["#e9ebee", "#2a2f37", "light-dark(#17191c, #f4f5f7)"],
  ["#f3e6cd", "#3b3730", "light-dark(#17191c, #f4f5f7)"],
  ["#f8d9a3", "#4f412e", "light-dark(#17191c, #f4f5f7)"],
  ["#fbc779", "#67492b", "light-dark(#17191c, #f4f5f7)"],
  ["#faae55", "#814f27", "light-dark(#17191c, #f4f5f7)"],
  ["#f28f45", "#a05a26", "light-dark(#17191c, #f4f5f7)"],
  ["#de6a3a", "#c56f2c", "light-dark(#17191c, #14161a)"],
  ["#b8402f", "#e68a3c", "light-dark(#ffffff, #14161a)"],
  ["#86202c", "#ffb568", "light-dark(#ffffff, #14161a)"],
];

/** The lines of charts: each has a color and a pattern, so that they can be told apart without colors. */
const LINES: readonly (readonly [light: string, dark: string, dashes: string])[] = [
  ["#b8402f", "#ff9d6b", "none"],
  ["#0b5cad", "#7db7ff", "7 3"],
  ["#5d7a1f", "#b5d46a", "2 3"],
  ["#7a4aa8", "#d0a6f5", "10 3 2 3"],
  ["#8a6100", "#f0c957", "4 2"],
];

/** The style of the page, for light and dark mode, wide and narrow screens, and print. */
export const STYLE = `
:root { color-scheme: light dark; --back: light-dark(#ffffff, #14161a); --card: light-dark(#f6f7f9, #1c1f25); --text: light-dark(#17191c, #e8eaed); --soft: light-dark(#5b6470, #a3acb8); --rule: light-dark(#dde1e6, #333944); --link: light-dark(#0b5cad, #7db7ff); }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 0 clamp(0.9rem, 3vw, 2.5rem) 3rem; max-width: 82rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--back); padding: 0.4rem 0.8rem; z-index: 3; }
main:focus { outline: none; }
.top { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; align-items: center; justify-content: space-between; padding-top: 1.6rem; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 2.8rem 0 0.4rem; letter-spacing: -0.01em; }
h3 { font-size: 0.95rem; margin: 1.1rem 0 0.3rem; }
.tools { display: flex; gap: 0.6rem; align-items: end; }
.filter span { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.filter input, button { font: inherit; font-size: 0.9rem; color: inherit; background: var(--card); border: 1px solid light-dark(#858d98, #727b88); border-radius: 6px; padding: 0.35rem 0.7rem; }
.filter input { width: 15rem; max-width: 55vw; }
.filter input::placeholder { color: var(--soft); opacity: 1; }
button { cursor: pointer; }
.found { margin: 0.2rem 0 0; min-height: 1.3em; font-size: 0.85rem; color: var(--soft); text-align: right; }
.lead { margin: 0 0 1.1rem; color: var(--soft); max-width: 60rem; }
.lead strong { color: var(--text); overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: 0.6rem; margin: 0; }
.facts div { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.6rem 0.9rem; }
.facts dt { font-size: 0.8rem; color: var(--soft); }
.facts dd { margin: 0; font-size: 1.45rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; margin-top: 1.1rem; padding-bottom: 0.7rem; border-bottom: 1px solid var(--rule); font-size: 0.92rem; }
.about, .remarks { color: var(--soft); max-width: 60rem; margin: 0 0 0.8rem; font-size: 0.94rem; }
.remarks { padding-left: 1.2rem; }
.with-script { display: none; }
.js span.with-script { display: inline; }
.js p.with-script { display: block; }
svg { display: block; width: 100%; height: auto; font-family: inherit; }
svg.narrow { display: none; }
svg text { fill: var(--text); font-size: 11px; pointer-events: none; }
.folder { fill: light-dark(#f6f7f9, #1c1f25); stroke: light-dark(#c9ced6, #3c434f); }
.depth-1 { fill: light-dark(#eef0f3, #21252c); }
.depth-2, .depth-3, .depth-4 { fill: light-dark(#e4e7ec, #272c34); }
.folder-name { font-weight: 600; }
.tile rect { stroke: var(--back); stroke-width: 1; }
.tile .score { font-size: 10px; }
.tile:hover rect, .tile:focus rect, .dot:hover circle { stroke: var(--text); stroke-width: 2.5; }
.tile:focus { outline: none; }
.others rect { stroke-dasharray: 3 2; stroke: var(--soft); }
.faint { opacity: 0.16; }
.detail { min-height: 1.6em; margin: 0.5rem 0 0; font-size: 0.9rem; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; margin: 0 0 0.6rem; font-size: 0.82rem; color: var(--soft); }
.legend span:not(.legend-name) { display: inline-flex; align-items: center; gap: 0.3rem; }
.legend i { width: 1rem; height: 1rem; border-radius: 3px; border: 1px solid light-dark(#858d98, #727b88); }
.grid { stroke: var(--rule); stroke-width: 1; fill: none; }
svg .tick { fill: var(--soft); }
svg .axis { fill: var(--soft); font-size: 12px; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.dot circle { fill-opacity: 0.85; stroke: light-dark(#6b727d, #9aa3b0); stroke-width: 1; }
.dot-name { font-weight: 600; paint-order: stroke; stroke: var(--back); stroke-width: 3px; }
.line path { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line .line-name { font-weight: 600; }
.bar rect { fill: light-dark(#4a78a8, #6f9fd0); }
.bar:hover rect { fill: var(--text); }
.figures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.2rem; }
.figures .full { grid-column: 1 / -1; }
figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.8rem; }
figcaption { font-size: 0.92rem; font-weight: 600; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; }
.brief { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.6rem 1rem; }
.brief summary .what { margin-right: 0.4rem; overflow-wrap: anywhere; }
.place { color: var(--soft); font-size: 0.88rem; }
.badge { display: inline-block; font-size: 0.8rem; padding: 0.05rem 0.5rem; border-radius: 99px; white-space: nowrap; }
.hot { background: light-dark(#86202c, #ffb568); color: light-dark(#ffffff, #14161a); }
.warm { background: light-dark(#faae55, #814f27); color: light-dark(#17191c, #f4f5f7); }
.quiet { background: transparent; color: var(--soft); border: 1px solid var(--rule); }
.columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem; font-size: 0.92rem; }
.columns ul, .steps { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.columns p { margin: 0; color: var(--soft); }
.steps li { margin-bottom: 0.4rem; }
small { color: var(--soft); font-size: 0.86rem; }
.scroll { overflow-x: auto; }
.short { max-height: 21.2rem; overflow-y: auto; border: 1px solid var(--rule); border-radius: 6px; scrollbar-width: thin; scrollbar-color: var(--soft) transparent; background: linear-gradient(transparent, var(--card) 60%) 0 100% / 100% 3rem no-repeat local, radial-gradient(farthest-side at 50% 100%, light-dark(#17191c55, #000000cc), transparent) 0 100% / 100% 0.9rem no-repeat scroll; }
.short tbody tr:last-child td { border-bottom: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.28rem 0.6rem; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; }
thead th, thead td { position: sticky; top: 0; background: var(--back); color: var(--soft); font-weight: 600; white-space: nowrap; }
.brief thead th, .brief thead td { background: var(--card); }
tbody th { font-weight: 400; min-width: 12rem; }
.whole { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
th button { background: none; border: 0; padding: 0; color: inherit; font-weight: inherit; }
th button:hover { color: var(--text); text-decoration: underline; }
th[aria-sort="ascending"] button::after { content: " ▲"; }
th[aria-sort="descending"] button::after { content: " ▼"; }
.chip { display: inline-block; min-width: 2.6rem; padding: 0 0.4rem; border-radius: 4px; text-align: center; }
.pips { color: light-dark(#b8402f, #e68a3c); letter-spacing: 1px; font-size: 0.7rem; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.92em; }
footer { margin-top: 3rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: 0.85rem; }
${HEATS.map(
  ([light, dark, letters], heat) =>
    `.heat-${heat} rect, .heat-${heat} circle { fill: light-dark(${light}, ${dark}); } svg .heat-${heat} text { fill: ${letters}; } .chip.heat-${heat} { background: light-dark(${light}, ${dark}); color: ${letters}; } .legend .heat-${heat} i { background: light-dark(${light}, ${dark}); }`,
).join("\n")}
${LINES.map(
  ([light, dark, dashes], line) =>
    `.line-${line} path { stroke: light-dark(${light}, ${dark}); stroke-dasharray: ${dashes}; } .line-${line} .point { fill: light-dark(${light}, ${dark}); } svg .line-${line} text { fill: light-dark(${light}, ${dark}); }`,
).join("\n")}
@media (max-width: 44rem) {
svg.wide { display: none; }
svg.narrow { display: block; }
.figures, .columns { grid-template-columns: minmax(0, 1fr); }
.facts { grid-template-columns: repeat(3, 1fr); }
.facts div { padding: 0.45rem 0.6rem; }
.facts dd { font-size: 1.15rem; }
.found { text-align: left; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media (forced-colors: active) { .tile rect { stroke: CanvasText; } .heat-7 rect, .heat-8 rect { stroke-width: 3; } }
@media print {
:root { color-scheme: light; }
body { max-width: none; padding: 0; font-size: 9pt; }
.tools, nav, .detail, .skip, .found, span.with-script { display: none !important; }
section { break-before: auto; }
svg, figure, tr, .facts div { break-inside: avoid; }
h2, h3 { break-after: avoid; }
.scroll, .short { overflow: visible; max-height: none; background: none; border: 0; }
thead th, thead td { position: static; }
.brief::details-content { content-visibility: visible; block-size: auto; }
.tile rect, .dot circle, .chip, .legend i, .bar rect, .badge { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
