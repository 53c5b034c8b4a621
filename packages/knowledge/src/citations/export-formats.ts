import { inverted } from "./authors.js";
import { type Cited, monthOf, oneLine, placeOf } from "./cited.js";

/** Gives each entry a key that no other has: author, year, word of the title, and a letter where that is not enough. */
export class BibtexKeys {
  readonly #taken = new Set<string>();

  keyFor({ authors, title, date }: Cited): string {
    const word =
      title
        .split(/\s+/)
        .map(plain)
        .find((part) => part.length > 3) ?? plain(title);
    const stem = `${plain(authors[0]?.family ?? "")}${date[0] ?? ""}${word}` || "source";
    for (let number = 0; ; number += 1) {
      const key = number === 0 ? stem : `${stem}${letters(number)}`;
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return key;
    }
  }
}

/** Letters and digits of ASCII, which every program takes in a key. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .toLowerCase()
    .slice(0, 30);

const letters = (number: number): string =>
  (number > 26 ? letters(Math.floor((number - 1) / 26)) : "") + String.fromCharCode(97 + ((number - 1) % 26));

/** An entry of a BibTeX file. */
export function toBibtex(cited: Cited, keys: BibtexKeys): string {
  const { authors, title, date, version, url, source, license, span, looked } = cited;
  const names = authors.map((author) =>
    author.given === undefined ? `{${escapeTex(author.family)}}` : escapeTex(inverted(author)),
  );
  const fields: (readonly [string, string | number | undefined])[] = [
    ["author", names.length === 0 ? undefined : names.join(" and ")],
    // A second pair keeps capitals as they are.
    ["title", `{${escapeTex(title)}}`],
    ["year", date[0]],
    ["month", monthOf(date)?.slice(0, 3).toLowerCase()],
    ["version", version],
    ["howpublished", url === undefined ? escapeTex(source) : undefined],
    ["url", url === undefined ? undefined : escapeUrl(url)],
    ["urldate", url === undefined ? undefined : looked.map(twoDigits).join("-")],
    ["note", escapeTex([placeOf(span), ...(license === undefined ? [] : [`licence ${license}`])].join(", "))],
  ];
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (name === "month" ? `  month = ${value}` : `  ${name} = {${value}}`));
  return `@misc{${keys.keyFor(cited)},\n${lines.join(",\n")}\n}`;
}

const TEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  _: "\\_",
  "%": "\\%",
  "–": "--",
};

const escapeTex = (text: string): string => oneLine(text).replaceAll(/[\\{}$&#_%~^–]/g, (sign) => TEX[sign] ?? sign);

/** Programs take an address as it is, except for what ends the field. */
const escapeUrl = (url: string): string => url.replaceAll(/[\\{}\s]/g, (sign) => encodeURIComponent(sign));

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** An entry of a RIS file. */
export function toRis({ authors, title, date, version, url, source, license, span, looked }: Cited): string {
  const lines: (readonly [string, string | number | undefined])[] = [
    ["TY", url === undefined ? "GEN" : "ELEC"],
    ...authors.map((author) => ["AU", inverted(author)] as const),
    ["TI", title],
    ["PY", date[0]],
    ["DA", date.length === 3 ? date.map(twoDigits).join("/") : undefined],
    ["ET", version],
    ["UR", url],
    ["Y2", url === undefined ? undefined : looked.map(twoDigits).join("/")],
    ["AV", url === undefined ? source : undefined],
    // Programs take these for pages, never for lines.
    ["SP", span.page],
    ["EP", span.page_end ?? span.page],
    ["C1", license],
    ["N1", placeOf(span)],
  ];
  const written = lines.filter(([, value]) => value !== undefined);
  return [...written.map(([tag, value]) => `${tag}  - ${oneLine(String(value))}`), "ER  - "].join("\r\n");
}
