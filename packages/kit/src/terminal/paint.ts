/** Colours text for a terminal; each gives its text as it is where no colours are wanted. */
export interface Paint {
  readonly bold: Brush;
  readonly faint: Brush;
  readonly red: Brush;
  readonly yellow: Brush;
  readonly green: Brush;
  readonly cyan: Brush;
}

type Brush = (text: string) => string;

const CODES: { readonly [Name in keyof Paint]: readonly [on: number, off: number] } = {
  bold: [1, 22],
  faint: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
};

/** Paints where `isOn`. */
export function createPaint(isOn: boolean): Paint {
  const brush = ([on, off]: readonly [number, number]): Brush =>
    isOn ? (text) => (text === "" ? "" : `\u{1b}[${on}m${text}\u{1b}[${off}m`) : (text) => text;
  return {
    bold: brush(CODES.bold),
    faint: brush(CODES.faint),
    red: brush(CODES.red),
    yellow: brush(CODES.yellow),
    green: brush(CODES.green),
    cyan: brush(CODES.cyan),
  };
}

/**
 * Colours belong to terminals that can show them, and to nobody who has said no (https://no-color.org). Whoever sets
 * FORCE_COLOR wants them everywhere, or with 0 nowhere; as for Node, that is the stronger of the two.
 */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return !["0", "false"].includes(forced);
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
