import { type Html, type HtmlPart, html } from "../html/index.js";

/** A part of a page that is updated while the page is open. The name is unique on the page. */
export const live = (name: string, content: HtmlPart): Html =>
  html`<div class="part" data-live="${name}">${content}</div>`;

/** A table that scrolls if it does not fit. The first cell of each row is its heading. */
export const table = (name: string, columns: readonly string[], rows: readonly (readonly HtmlPart[])[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${name}" data-key="${name}"><table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

/** A list of terms and values; those without a value are left out. */
export const facts = (rows: readonly (readonly [name: string, value: HtmlPart])[], name: string): Html =>
  html`<dl class="${name}">${rows.map(([term, value]) => value !== undefined && value !== null && value !== false && value !== "" && html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;

/** The first line of a text, shortened to `limit` characters. */
export function excerpt(text: string, limit = 140): string {
  const [line = ""] = text.trim().split("\n", 1);
  const characters = Array.from(line.slice(0, 2 * limit));
  return characters.length <= limit && line.length === text.trim().length
    ? line
    : `${characters.slice(0, limit).join("").trimEnd()}…`;
}

/** A number with what it counts: `1,200 tasks`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes: `1.5 MiB`. */
export function byteSize(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}

const TIME_UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** A moment relative to now, `5 min ago`, with the exact time as a tooltip. Both are in ISO 8601. */
export function moment(at: string, now: string): Html {
  return html`<time datetime="${at}" title="${exactTime(at)}">${relativeTime(at, now)}</time>`;
}

function relativeTime(at: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(at)) / 1000;
  const distance = Math.abs(seconds);
  const [size, unit] = TIME_UNITS.find(([least]) => distance >= least) ?? [1, "s"];
  if (distance >= 60 * 86_400) return at.slice(0, 10);
  if (distance < 60) return seconds < 0 ? "in a moment" : "just now";
  const amount = Math.floor(distance / size);
  return seconds < 0 ? `in ${amount} ${unit}` : `${amount} ${unit} ago`;
}

/** A moment to the second: `2031-05-06 07:08:09 UTC`. */
export const exactTime = (at: string): string => `${at.slice(0, 19).replace("T", " ")} UTC`;
