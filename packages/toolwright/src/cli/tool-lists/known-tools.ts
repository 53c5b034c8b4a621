import { PACKS, type PackLoader } from "../../packs.js";

/** The word for the tools that are listed by default. */
export const DEFAULT_SET = "default";

/** The tool of the engine with which clients read on in truncated results. It is available whatever is selected. */
export const READ_RESULT = "read_result";

type Toolsets = Readonly<Record<string, readonly string[]>>;

/** What packs declare about their tools: all that can be named before a pack is open. */
export class KnownTools {
  /** The tools by pack and toolset. */
  readonly byPack: Readonly<Record<string, Toolsets>>;
  /** The tools that are available only if they are asked for. */
  readonly optional: readonly string[];

  constructor(byPack: Readonly<Record<string, Toolsets>>, optional: readonly string[]) {
    this.byPack = byPack;
    this.optional = optional;
  }

  /** The names of all tools. */
  get names(): readonly string[] {
    return [...Object.values(this.byPack).flatMap((toolsets) => Object.values(toolsets).flat()), READ_RESULT];
  }

  /** The names that stand for several tools: toolsets and packs. */
  get setNames(): readonly string[] {
    const names = Object.entries(this.byPack).flatMap(([pack, toolsets]) => [...Object.keys(toolsets), pack]);
    return [...new Set([DEFAULT_SET, ...names])];
  }

  /** The toolsets that a name stands for: those of a pack, or the one of this name. */
  setsOf(name: string): readonly string[] {
    return Object.keys(this.byPack[name] ?? { [name]: [] });
  }

  /** The tools of a toolset. */
  toolsOf(toolset: string): readonly string[] {
    return Object.values(this.byPack).flatMap((toolsets) => toolsets[toolset] ?? []);
  }

  /** The toolset of a tool. */
  toolsetOf(tool: string): string | undefined {
    return Object.values(this.byPack)
      .flatMap((toolsets) => Object.entries(toolsets))
      .find(([, tools]) => tools.includes(tool))?.[0];
  }
}

/** Loads what packs declare; by default all packs of this program. */
export async function loadKnownTools(packs: Readonly<Record<string, PackLoader>> = PACKS): Promise<KnownTools> {
  const declared = await Promise.all(
    Object.entries(packs).map(async ([name, load]) => {
      const loaded = await load();
      if (typeof loaded === "object")
        return { name, toolsets: loaded.toolsets ?? {}, optional: loaded.optionalTools ?? [] };
      const toolsets = OLD_TOOLS[name] ?? {};
      const own = Object.values(toolsets).flat();
      return { name, toolsets, optional: OLD_OPTIONAL.filter((tool) => own.includes(tool)) };
    }),
  );
  return new KnownTools(
    Object.fromEntries(declared.map(({ name, toolsets }) => [name, toolsets])),
    declared.flatMap(({ optional }) => optional),
  );
}

const words = (text: string): readonly string[] => text.split(" ");

/** The tools of the packs that do not declare theirs yet. */
const OLD_TOOLS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  basics: { basics: words("echo current_time") },
  templates: {
    templates: words(
      "generate_template list_templates validate_template scaffold_project search_templates update_project",
    ),
  },
  analysis: {
    analysis: words(
      "analyze_complexity analyze_code_churn analyze_hotspots analyze_satd analyze_duplicates analyze_dag generate_context quality_gate",
    ),
  },
  todo: {
    tasks: words(
      "create_task list_tasks get_task update_task delete_task add_blocker remove_blocker get_blockers ready_tasks claim_task release_task search_tasks task_tree task_history undo_last_task check_task",
    ),
    exchange: words("export_tasks import_tasks"),
  },
  threats: {
    threats: words("tmkb_query tmkb_list tmkb_get tmkb_review tmkb_checklist tmkb_coverage tmkb_validate"),
  },
};

const OLD_OPTIONAL: readonly string[] = [
  "export_tasks",
  "import_tasks",
  "task_history",
  "tmkb_list",
  "tmkb_checklist",
  "tmkb_coverage",
  "tmkb_validate",
];
