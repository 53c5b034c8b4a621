/** Which kinds of answers a client takes. */
export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

const ALL: Accepted = { json: true, stream: true };

/** Reads an `Accept` header; without one a client takes anything. */
export function readAccept(header: string | undefined): Accepted {
  if (header === undefined || header === "application/json, text/event-stream") return ALL;
  const json = preference(header, "application/json");
  const stream = preference(header, "text/event-stream");
  return { json: json > 0, stream: stream > 0 };
}

/** How much a client wants a type, by the range that names it most closely. */
function preference(header: string, type: string): number {
  const ranges = ["*/*", `${type.split("/")[0]}/*`, type];
  let closest = -1;
  let wanted = 0;
  for (const part of header.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const at = ranges.indexOf(range);
    if (at < closest || at === -1) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    closest = at;
    wanted = quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return wanted;
}

/** Whether a body is JSON, as its `Content-Type` says. */
export function isJson(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === "application/json") return true;
  const type = header.split(";", 1)[0] as string;
  return type.trim().toLowerCase() === "application/json";
}
