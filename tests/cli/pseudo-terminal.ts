import { spawnSync } from "node:child_process";

const has = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** What runs a shell command on a pseudo-terminal, if this machine has it. */
export function findTerminal(): ((shellCommand: string) => [command: string, args: string[]]) | undefined {
  if (has("script", "--version")) return (line) => ["script", ["-qec", line, "/dev/null"]];
  const python = "import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['sh','-c',sys.argv[1]])))";
  if (has("python3", "-c", "import pty")) return (line) => ["python3", ["-c", python, line]];
  console.warn("skipped: neither script (util-linux) nor python3 is here to make a pseudo-terminal");
  return undefined;
}
