// Runs selected scenarios of a suite, one after the other: `one-by-one.mjs SUITE NAME,NAME… OPTION…`. The suite itself runs one scenario
// or all, and starting it for each costs more than most scenarios do. So its own command line is suppressed when it loads, and invoked for
// one scenario at a time.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [suite = "", scenarios = "", ...options] = process.argv.slice(2);
const { Command } = createRequire(suite)("commander");
const exit = process.exit.bind(process);

const commandLine = await new Promise((resolve) => {
  Command.prototype.parse = function keep() {
    resolve(this);
  };
  void import(pathToFileURL(suite).href);
});
// It exits the process after each run.
Object.assign(process, { exit: () => undefined });
for (const scenario of scenarios.split(","))
  await commandLine.parseAsync(["server", "--scenario", scenario, ...options], { from: "user" });
exit(0);
