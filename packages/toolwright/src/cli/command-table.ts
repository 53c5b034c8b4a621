import type { Command } from "@toolwright/kit/cli";
import type { CommandTable, DeclaredCommand } from "./command.js";
import { createPackContext } from "./pack-context.js";

/** Every command by its name, in the order of the help. What a command needs is loaded when it runs. */
export const COMMANDS: CommandTable = {
  serve: {
    group: "serving",
    about: "serve clients: over stdin and stdout, HTTP, WebSocket, a socket",
    help: async () => (await import("./help.js")).SERVE_HELP,
    run: async (words, version) => (await import("./serve-front.js")).runServe(words, version),
  },
  config: {
    group: "serving",
    takes: "…",
    about: "check or show the configuration: file, environment and flags",
    hasDeeds: true,
    help: async () => (await import("./help.js")).CONFIG_HELP,
    run: async (words) => (await import("./commands/config.js")).runConfig(words),
  },
  key: {
    group: "serving",
    takes: "NAME",
    about: "make an API key for a client, and print the line for --api-key-file",
    help: async () => (await import("./help.js")).KEY_HELP,
    run: async (words) => (await import("./commands/key.js")).makeKey(words),
  },
  dashboard: {
    group: "serving",
    about: "show tasks and knowledge as web pages, live",
    help: async () => (await import("./dashboard/dashboard-help.js")).DASHBOARD_HELP,
    run: async (words, version) => (await import("./commands/dashboard.js")).runDashboard(words, version),
  },
  install: {
    group: "connecting",
    takes: "…",
    about: "tell assistants and editors of this server, in their own files",
    help: async () => (await import("./install/install-help.js")).INSTALL_HELP,
    run: async (words) => (await import("./commands/install.js")).runInstall(words),
  },
  uninstall: {
    group: "connecting",
    takes: "…",
    about: "take it out of their files again",
    help: async () => (await import("./install/install-help.js")).UNINSTALL_HELP,
    run: async (words) => (await import("./commands/uninstall.js")).runUninstall(words),
  },
  doctor: {
    group: "connecting",
    takes: "…",
    about: "examine any MCP server as every client sees it, and say what is wrong",
    help: async () => (await import("./doctor/doctor-help.js")).DOCTOR_HELP,
    run: async (words, version) => (await import("./commands/doctor.js")).runDoctor(words, version),
  },
  list: {
    group: "using",
    takes: "…",
    about: "list what a server has or, without one, the servers that clients know",
    help: async () => (await import("./use/use-help.js")).LIST_HELP,
    run: async (words, version) => (await import("./commands/list.js")).listServer(words, version),
  },
  tools: {
    group: "using",
    takes: "…",
    about: "list the tools of any MCP server, and what they cost a model",
    help: async () => (await import("./tool-lists/tools-help.js")).TOOLS_HELP,
    run: async (words, version) => (await import("./commands/tools.js")).listTools(words, version),
  },
  call: {
    group: "using",
    takes: "…",
    about: "call a tool of any MCP server, and print what it gives",
    hasOwnHelp: true,
    help: async () => (await import("./client-help.js")).CALL_HELP,
    run: async (words, version) => (await import("./commands/call.js")).callTool(words, version),
  },
  read: {
    group: "using",
    takes: "…",
    about: "read a resource of any MCP server",
    help: async () => (await import("./use/use-help.js")).READ_HELP,
    run: async (words, version) => (await import("./commands/read.js")).readResource(words, version),
  },
  prompt: {
    group: "using",
    takes: "…",
    about: "fill in a prompt of any MCP server, and print its messages",
    hasOwnHelp: true,
    help: async () => (await import("./use/use-help.js")).PROMPT_HELP,
    run: async (words, version) => (await import("./commands/prompt.js")).getPrompt(words, version),
  },
  replay: {
    group: "using",
    takes: "…",
    about: "play a recording again, and show what is not as it was",
    help: async () => (await import("./replay/replay-help.js")).REPLAY_HELP,
    run: async (words, version) => (await import("./commands/replay.js")).replayRecording(words, version),
  },
  dev: {
    group: "writing",
    takes: "FILE",
    about: "run a server that you are writing, and swap its code each time you save",
    help: async () => (await import("./dev/dev-help.js")).DEV_HELP,
    run: async (words) => (await import("./commands/dev.js")).runDev(words),
  },
  new: {
    group: "writing",
    takes: "…",
    about: "make a project from templates, or update one",
    help: async () => (await import("@toolwright/templates/commands/template-help.js")).NEW_HELP,
    run: async (words, version) =>
      (await import("@toolwright/templates/commands/run-new.js")).makeNew(
        words,
        createPackContext("templates", version),
      ),
  },
  template: {
    group: "writing",
    takes: "…",
    about: "list, show and fill in templates of project files",
    hasDeeds: true,
    help: async () => (await import("@toolwright/templates/commands/template-help.js")).TEMPLATE_HELP,
    run: async (words, version) =>
      (await import("@toolwright/templates/commands/run-template.js")).runTemplate(
        words,
        createPackContext("templates", version),
      ),
  },
  task: {
    group: "working",
    takes: "…",
    about: "keep tasks that people and agents share",
    hasDeeds: true,
    help: async () => (await import("@toolwright/todo/commands/task-help.js")).TASK_HELP,
    run: async (words, version) =>
      (await import("@toolwright/todo/commands/run-task.js")).runTask(words, createPackContext("todo", version)),
  },
  kb: {
    group: "working",
    takes: "…",
    about: "search documents, cite them, and get answers from them",
    hasDeeds: true,
    help: async () => (await import("@toolwright/knowledge/commands/kb-help.js")).KB_HELP,
    run: async (words, version) =>
      (await import("@toolwright/knowledge/commands/run-kb.js")).runKb(words, createPackContext("knowledge", version)),
  },
  analyze: {
    group: "working",
    takes: "…",
    about: "measure code: complexity, churn, hotspots, remarks, copies, a gate",
    hasDeeds: true,
    help: async () => (await import("@toolwright/analysis/commands/analyze-help.js")).ANALYZE_HELP,
    run: async (words, version) =>
      (await import("@toolwright/analysis/commands/run-analyze.js")).runAnalyze(
        words,
        createPackContext("analysis", version),
      ),
  },
  threats: {
    group: "working",
    takes: "…",
    about: "ask and check threat patterns, and review code with them",
    hasDeeds: true,
    help: async () => (await import("@toolwright/threats/commands/threats-help.js")).THREATS_HELP,
    run: async (words, version) =>
      (await import("@toolwright/threats/commands/run-threats.js")).runThreats(
        words,
        createPackContext("threats", version),
      ),
  },
  completion: {
    group: "itself",
    takes: "…",
    about: "let a shell complete commands, options and ids: bash, zsh, fish",
    hasDeeds: true,
    help: async () => (await import("./completion/completion-help.js")).COMPLETION_HELP,
    run: async (words, _version, all) => (await import("./commands/completion.js")).runCompletion(words, all),
  },
  man: {
    group: "itself",
    about: "print the manual page",
    help: async () => (await import("./manual/man-help.js")).MAN_HELP,
    run: async (words, version, all) => (await import("./commands/man.js")).printManual(words, version, all),
  },
};

/** A command that a pack declares, such as `task: fromPack("todo", async () => (await import("…")).task)`. */
export const fromPack = (pack: string, load: () => Promise<Command>): DeclaredCommand => ({ pack, load });

/** All commands with a declaration. */
export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(COMMANDS).flatMap((command) => ("load" in command ? [command.load()] : [])));
