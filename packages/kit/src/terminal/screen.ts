/** Functions that colour text for a terminal; they return the text unchanged if colours are off. */
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

/** Creates the functions; they colour if `isOn`. */
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
 * Whether a stream gets colours: a terminal does, unless NO_COLOR is set (https://no-color.org). FORCE_COLOR turns them on everywhere, or
 * off with 0; as in Node, it takes precedence.
 */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return !["0", "false"].includes(forced);
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/** How output is shown. */
export interface Screen {
  readonly paint: Paint;
  /** The number of columns; infinite if stdout is not a terminal. */
  readonly width: number;
}

/** The screen behind stdout. */
export const openScreen = (): Screen => ({
  paint: createPaint(wantsColour(process.stdout, process.env)),
  width: (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
});
