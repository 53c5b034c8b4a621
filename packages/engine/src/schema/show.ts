const SHOWN = 60;

/** Shows a value in a line of a fault: as JSON, shortened, whatever its size. */
export function show(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === undefined) return "nothing";
  const text = write(value, SHOWN);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Shows a string in quotes, shortened. */
export function quote(text: string): string {
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return JSON.stringify(short);
}

/** Lists values for a line of a fault: the first of many. */
export function showList(values: readonly unknown[], most = 12): string {
  const shown = values.slice(0, most).map(show).join(", ");
  return values.length > most ? `${shown} … (${values.length} in all)` : shown;
}

/** Writes the path of a part: `items[2].name`. */
export function join(path: string, part: string | number): string {
  if (typeof part === "number") return `${path}[${part}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]{0,80}$/u.test(part)) return `${path}[${quote(part)}]`;
  return path === "" ? part : `${path}.${part}`;
}

/** Says whether a value is small enough to be repeated back whole. */
export function isSmall(value: unknown, limit: number): boolean {
  return write(value, limit).length <= limit;
}

/** Writes JSON until the room is used up: the text may end anywhere after that. */
function write(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.length > room ? value.slice(0, room + 1) : value);
  if (typeof value !== "object" || value === null) return String(value);
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  let first = true;
  for (const key in value) {
    if (text.length > room) break;
    const item = (value as Record<string, unknown>)[key];
    const label = isArray ? "" : `${write(key, room)}:`;
    text += `${first ? "" : ","}${label}${write(item, room - text.length)}`;
    first = false;
  }
  return text + (isArray ? "]" : "}");
}
