/** Text of a stranger for a terminal: whatever would move the cursor, colour or rewrite it is shown as a sign of its own. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROL, (sign) => PICTURES[sign] ?? "\u{fffd}");
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text.trim().replaceAll(/\s*\n\s*/g, " "));
}

/** A name in one line: what would break the line, or move what follows, is shown too. */
export function visibleName(name: string): string {
  return visible(name.replaceAll(/[\n\t\r]/g, (sign) => PICTURES[sign] ?? sign));
}

const CONTROL = /(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;
const PICTURES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 32 }, (_, code) => [String.fromCodePoint(code), String.fromCodePoint(0x24_00 + code)]),
);
