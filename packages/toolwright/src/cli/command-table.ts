import type { Command } from "@toolwright/kit/cli";
import { PACKS, type PackLoader } from "../packs.js";

/** Loads the declaration of a command. */
type LoadCommand = () => Promise<Command>;

/** The commands of the program itself, by name, in the order of the help. */
const CORE_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  serve: async () => (await import("./commands/serve.js")).serve,
  config: async () => (await import("./commands/config.js")).config,
  key: async () => (await import("./commands/key.js")).key,
  dashboard: async () => (await import("./commands/dashboard.js")).dashboard,
  install: async () => (await import("./commands/install.js")).install,
  uninstall: async () => (await import("./commands/install.js")).uninstall,
  doctor: async () => (await import("./commands/doctor.js")).doctor,
  list: async () => (await import("./commands/use-server.js")).list,
  tools: async () => (await import("./commands/tools.js")).tools,
  call: async () => (await import("./commands/use-server.js")).call,
  read: async () => (await import("./commands/use-server.js")).read,
  prompt: async () => (await import("./commands/use-server.js")).prompt,
  replay: async () => (await import("./commands/replay.js")).replay,
  dev: async () => (await import("./commands/dev.js")).dev,
  completion: async () => (await import("./commands/completion.js")).completion,
  man: async () => (await import("./commands/man.js")).man,
  "complete-words": async () => (await import("./commands/completion.js")).completeWords,
};

/** A command, and the pack that it belongs to. */
export interface LocatedCommand {
  readonly command: Command;
  readonly pack?: string;
}

/** Finds the command of this name; those of packs are looked up in the packs. */
export async function locateCommand(name: string): Promise<LocatedCommand | undefined> {
  const load = Object.hasOwn(CORE_COMMANDS, name) ? CORE_COMMANDS[name] : undefined;
  if (load !== undefined) return { command: await load() };
  for (const [pack, loadPack] of Object.entries(PACKS)) {
    const { commands = {} } = await loadPack();
    if (Object.hasOwn(commands, name)) return { command: await (commands[name] as LoadCommand)(), pack };
  }
  const all = await loadPackCommands();
  return all.find(({ command }) => command.name === name || command.aliases?.includes(name));
}

/** The declarations of all commands. */
export async function loadCommands(): Promise<readonly Command[]> {
  const core = await Promise.all(Object.values(CORE_COMMANDS).map((load) => load()));
  return [...core, ...(await loadPackCommands()).map(({ command }) => command)];
}

/** The commands that packs declare: those of this program, and those that the configuration names. */
async function loadPackCommands(): Promise<readonly LocatedCommand[]> {
  const packs = { ...PACKS, ...(await configuredPacks()) };
  const found = Object.entries(packs).map(async ([pack, load]) => {
    const commands = Object.values((await load()).commands ?? {});
    return Promise.all(commands.map(async (loadCommand) => ({ command: await loadCommand(), pack })));
  });
  return (await Promise.all(found)).flat();
}

/** The packs of outside authors in the configuration of the current folder; none if it is invalid, which `config check` explains. */
async function configuredPacks(): Promise<Readonly<Record<string, PackLoader>>> {
  const [{ loadOwnConfig }, { packsOf }] = await Promise.all([
    import("./pack-context.js"),
    import("./pack-environment.js"),
  ]);
  return loadOwnConfig().then(packsOf, () => ({}));
}
