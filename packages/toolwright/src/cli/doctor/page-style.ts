/** How the page of the doctor looks, in light and in dark, on wide and narrow screens, and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --back: light-dark(#ffffff, #14161a); --card: light-dark(#f6f7f9, #1c1f25); --text: light-dark(#17191c, #e8eaed); --soft: light-dark(#5b6470, #a3acb8); --rule: light-dark(#dde1e6, #333944); --link: light-dark(#0b5cad, #7db7ff); --good: light-dark(#1c6b36, #7fd79a); --warning: light-dark(#805400, #f0c957); --fault: light-dark(#a3202c, #ff9d8f); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 0 clamp(0.9rem, 3vw, 2.5rem) 3rem; max-width: 64rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--back); padding: 0.4rem 0.8rem; z-index: 3; }
main:focus { outline: none; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 1.6rem 0 0.3rem; letter-spacing: -0.015em; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.2rem; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h3 { display: flex; gap: 0.7rem; align-items: baseline; font-size: 1.05rem; margin: 1.8rem 0 0.4rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--rule); }
h3 small { margin-left: auto; }
small, .lead, .about { color: var(--soft); }
.lead, .about { margin: 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: 0.6rem; margin: 1rem 0 0; }
.facts div { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.6rem 0.9rem; }
.facts dt { font-size: 0.8rem; color: var(--soft); }
.facts dd { margin: 0; font-size: 1.45rem; font-weight: 600; font-variant-numeric: tabular-nums; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; margin-top: 1.1rem; padding-bottom: 0.7rem; border-bottom: 1px solid var(--rule); font-size: 0.92rem; }
ul.checks { list-style: none; margin: 0; padding: 0; }
.check { padding: 0.3rem 0; }
.check > p { margin: 0; }
.verdict { display: inline-block; min-width: 7.2rem; font-weight: 600; font-size: 0.9rem; }
.v-good { color: var(--good); }
.v-warning { color: var(--warning); }
.v-fault { color: var(--fault); }
.v-note, .v-none { color: var(--soft); }
.seen { margin: 0.2rem 0 0.2rem 7.2rem; font-size: 0.92rem; overflow-wrap: anywhere; }
.seen p { margin: 0; }
.quiet { color: var(--soft); }
.grave { margin-top: 0.4rem; margin-bottom: 0.6rem; background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--warning); border-radius: 6px; padding: 0.5rem 0.9rem; }
.grave.fault { border-left-color: var(--fault); }
.grave p + p { margin-top: 0.25rem; }
details { margin-top: 0.4rem; }
summary { cursor: pointer; color: var(--link); }
pre { margin: 0.3rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.82rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { padding: 0.35rem 0.6rem 0.35rem 0; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
footer { margin-top: 3rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: 0.85rem; }
@media (max-width: 40rem) { .seen { margin-left: 0; } .verdict { min-width: 0; margin-right: 0.5rem; } .facts { grid-template-columns: repeat(2, 1fr); } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 9pt; } nav, .skip { display: none; } .check, .grave { break-inside: avoid; } h2, h3 { break-after: avoid; } details::details-content { content-visibility: visible; block-size: auto; } }
`;
