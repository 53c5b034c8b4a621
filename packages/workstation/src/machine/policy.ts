import type { Settings } from "../settings.js";

/** What may be done, and which setting would allow the rest. */
export interface Policy {
  readonly allowed: string[];
  readonly refused: { readonly what: string; readonly setting: string }[];
}

/** The policy of the pack in short, for whoever wonders why something was refused. */
export function describePolicy(settings: Settings, roots: readonly string[]): Policy {
  const rules: readonly (readonly [what: string, isAllowed: boolean, setting: string])[] = [
    ["read files", roots.length > 0, 'roots: ["/path/to/project"]'],
    ["change files", roots.length > 0 && !settings.read_only, "read_only: false"],
    ["run builds, tests and linters", settings.builds && !settings.read_only, "builds: true"],
    ["fetch packages", settings.network && !settings.read_only, "network: true"],
    [commandsOf(settings), settings.commands.length > 0 && !settings.read_only, 'commands: [["npm", "test"]]'],
    ["run git hooks", settings.git_hooks && !settings.read_only, "git_hooks: true"],
  ];
  return {
    allowed: rules.filter(([, isAllowed]) => isAllowed).map(([what]) => what),
    refused: rules
      .filter(([, isAllowed]) => !isAllowed)
      .map(([what, , setting]) => ({ what, setting: `packs.workstation.${setting}` })),
  };
}

const MOST_COMMANDS = 20;

function commandsOf({ commands }: Settings): string {
  if (commands.length === 0) return "run commands";
  const shown = commands.slice(0, MOST_COMMANDS).map((words) => words.join(" "));
  const more = commands.length > MOST_COMMANDS ? [`${commands.length - MOST_COMMANDS} more`] : [];
  return `run commands: ${[...shown, ...more].join(", ")}`;
}
