import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Runs a command line. Clients wait for `serve` to start, so it loads nothing of the other commands. */
async function run(argv: readonly string[]): Promise<void> {
  if (argv[0] === "serve" && !argv.includes("--help") && !argv.includes("-h")) {
    const { runServe } = await import("./run-serve.js");
    return runServe(argv.slice(1), version);
  }
  const { runProgram } = await import("./program.js");
  return runProgram(argv, version);
}

// The program is built as CommonJS, which has no top-level await.
run(process.argv.slice(2)).catch(async (error: unknown) => {
  const { reportError } = await import("./program.js");
  await reportError(error, process.argv[2]);
});
