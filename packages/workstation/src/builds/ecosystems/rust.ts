import { type BuildAction, type Ecosystem } from "../ecosystem.js";
import { addCounts, type Failure, type Findings, failure, numberIn, toLines } from "../findings.js";

const ARGS: Readonly<Record<BuildAction, readonly string[]>> = {
  build: ["build", "--message-format=json", "--all-targets"],
  test: ["test", "--message-format=json", "--no-fail-fast"],
  restore: ["fetch"],
  lint: ["check", "--message-format=json", "--all-targets"],
};

/** Rust, with cargo. */
export const rust: Ecosystem = {
  name: "rust",
  markIn: (names) => (names.has("Cargo.toml") ? "Cargo.toml" : undefined),
  async plan(action, project) {
    const hasClippy = action === "lint" && (await project.has("cargo-clippy"));
    const args = hasClippy ? ["clippy", ...ARGS.lint.slice(1)] : [...ARGS[action]];
    if (action === "restore" && project.names.has("Cargo.lock")) args.push("--locked");
    if (action === "test" && project.test !== undefined) args.push("--", project.test);
    return {
      program: "cargo",
      args,
      env: { CARGO_TERM_COLOR: "never", RUST_BACKTRACE: "0", ...(!project.isOnline && { CARGO_NET_OFFLINE: "true" }) },
      parsers: [parseCargo],
      install: "Install Rust from https://rustup.rs",
    };
  },
};

interface Message {
  readonly reason?: string;
  readonly message?: {
    readonly message: string;
    readonly level: string;
    readonly rendered?: string | null;
    readonly code?: { readonly code: string } | null;
    readonly spans: readonly {
      readonly file_name: string;
      readonly line_start: number;
      readonly column_start: number;
      readonly is_primary: boolean;
      readonly label: string | null;
    }[];
  };
}

/** Reads the output of cargo with `--message-format=json`, plain rustc messages, and test results. */
export function parseCargo(text: string): Findings {
  const lines = text.split("\n");
  const output = lines.map((line) => (line.startsWith('{"reason":') ? readMessage(line) : line));
  const plain = output.flatMap((each) => (typeof each === "string" ? each : (each.message?.rendered ?? []))).join("\n");
  const compiled = output.flatMap((each) => (typeof each === "string" ? [] : toFailure(each)));
  const asText = compiled.length > 0 ? [] : readText(toLines(plain));
  return { failures: [...compiled, ...asText, ...readTests(toLines(plain))], ...countsOf(plain), plain };
}

function readMessage(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {};
  }
}

function toFailure({ reason, message }: Message): Failure[] {
  if (reason !== "compiler-message" || message === undefined || !/^(?:error|warning)/.test(message.level)) return [];
  const span = message.spans.find((each) => each.is_primary);
  // Such as "2 warnings emitted": only a summary.
  if (span === undefined && /^(?:\d+ warnings?|aborting due to|could not compile)/.test(message.message)) return [];
  const code = message.code?.code;
  const label = span?.label ? `: ${span.label}` : "";
  const place = { file: span?.file_name, line: span?.line_start, column: span?.column_start };
  return [
    failure(
      place,
      `${message.message}${label}${code ? ` (${code})` : ""}`,
      message.level === "warning" ? "warning" : "error",
    ),
  ];
}

function readText(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const {
      level,
      code,
      message = "",
    } = /^(?<level>error|warning)(?:\[(?<code>\w+)\])?: (?<message>.*)$/.exec(line)?.groups ?? {};
    const place = lines
      .slice(at + 1, at + 4)
      .map((each) => /^\s*--> (?<file>.+?):(?<line>\d+):(?<column>\d+)$/.exec(each));
    const found = place.find((each) => each !== null)?.groups;
    if (level === undefined || found === undefined) return [];
    return [failure(found, code ? `${message} (${code})` : message, level === "warning" ? "warning" : "error")];
  });
}

function readTests(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const test = /^---- (.+) stdout ----$/.exec(line)?.[1];
    if (test === undefined) return [];
    const rest = lines.slice(at + 1, at + 100);
    const end = rest.findIndex((each) => /^----|^failures:$|^note: run with|^stack backtrace:/.test(each));
    const block = (end < 0 ? rest : rest.slice(0, end)).filter((each) => each !== "");
    const start = block.findIndex((each) => / panicked at /.test(each));
    const place = / panicked at (?:'.*', )?(?<file>.+?):(?<line>\d+):(?<column>\d+):?$/.exec(
      block[start] ?? "",
    )?.groups;
    return [failure({ ...place, test: test.trim() }, block.slice(start + 1).join("\n"))];
  });
}

/** The library, each binary and each test file have a result line. */
function countsOf(text: string): ReturnType<typeof addCounts> {
  return addCounts(
    [...text.matchAll(/^test result: .*$/gm)].map(([line]) => ({
      passed: numberIn(line, /(\d+) passed/),
      failed: numberIn(line, /(\d+) failed/),
      skipped: numberIn(line, /(\d+) ignored/),
    })),
  );
}
