import { spawnSync } from "node:child_process";

const has = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** What runs one program on a pseudo-terminal, if this machine has it; the program is written as a shell's command line. */
export function findTerminal(): ((commandLine: string) => [command: string, args: string[]]) | undefined {
  // Without exec, a shell that stays would get the Ctrl-C as well, and some end by it whatever their program makes of it.
  if (has("script", "--version")) return (line) => ["script", ["-qec", `exec ${line}`, "/dev/null"]];
  const python = "import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['sh','-c',sys.argv[1]])))";
  if (has("python3", "-c", "import pty")) return (line) => ["python3", ["-c", python, `exec ${line}`]];
  console.warn("skipped: neither script (util-linux) nor python3 is here to make a pseudo-terminal");
  return undefined;
}
