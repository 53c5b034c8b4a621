import os from "node:os";
import process from "node:process";
import type { Call, PackHost } from "@toolwright/engine";
import type { Settings } from "../settings.js";
import { maskValues } from "./mask-environment.js";

/** The machine and the runtime, without anything of a project or person. */
export function machineFacts() {
  return {
    os: { platform: process.platform, name: os.type(), release: os.release(), version: os.version() },
    arch: process.arch,
    is_64_bit: /64|s390x/.test(process.arch),
    cpus: os.availableParallelism(),
    memory: { total_bytes: os.totalmem(), free_bytes: os.freemem() },
    cwd: currentFolder(),
    runtime: { node: process.versions.node, v8: process.versions.v8 },
  };
}

/** Null if the folder was removed. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** The server and its process. */
export function serverFacts({ name, version, tools, metrics }: PackHost) {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  return {
    name,
    version,
    node: process.versions.node,
    pid: process.pid,
    uptime_s: Math.round(process.uptime()),
    memory: { rss_bytes: rss, heap_used_bytes: heapUsed, heap_total_bytes: heapTotal },
    tools: tools.filter(({ replacedBy }) => replacedBy === undefined).length,
    calls_running: metrics.running,
    sessions: metrics.sessions,
  };
}

/** The headers of a call over HTTP, without secrets. */
export function httpFacts({ http }: Pick<Call, "http">, { redaction }: PackHost) {
  if (http === undefined) return { available: false, reason: "This call did not come over HTTP." };
  return { available: true, headers: maskValues(http.headers, redaction) };
}

/** The caller, as the transport has verified it. */
export function userFacts({ principal, scopes }: Pick<Call, "principal" | "scopes">) {
  if (principal === undefined) return { available: false, reason: "This server does not authenticate clients." };
  return { available: true, principal, ...(scopes && { scopes: [...scopes] }) };
}

const MAX_COMMANDS = 20;

/** What the settings allow, and which setting would allow the rest. */
export function describePolicy({ builds, network, commands, gitHooks }: Settings, roots: readonly string[]) {
  const hasRoots = roots.length > 0;
  const rules: readonly (readonly [what: string, isAllowed: boolean, setting: string])[] = [
    ["read and change files", hasRoots, 'files.roots: ["/path/to/project"]'],
    ["run builds, tests and linters", builds, "packs.workstation.builds: true"],
    ["download packages", network, "packs.workstation.network: true"],
    [describeCommands(commands), commands.length > 0, 'packs.workstation.commands: [["npm", "test"]]'],
    ["run git hooks", gitHooks, "packs.workstation.gitHooks: true"],
  ];
  return {
    allowed: rules.filter(([, isAllowed]) => isAllowed).map(([what]) => what),
    refused: rules.filter(([, isAllowed]) => !isAllowed).map(([what, , setting]) => ({ what, setting })),
  };
}

function describeCommands(commands: Settings["commands"]): string {
  if (commands.length === 0) return "run commands";
  const listed = commands.slice(0, MAX_COMMANDS).map((words) => words.join(" "));
  const more = commands.length > MAX_COMMANDS ? [`${commands.length - MAX_COMMANDS} more`] : [];
  return `run commands: ${[...listed, ...more].join(", ")}`;
}
