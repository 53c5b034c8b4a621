import type { Prompt } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { commitMessage } from "./commit-message.js";
import { fixFailingTest } from "./fix-failing-test.js";

/** What people can start with one word. */
export const prompts = (workstation: Workstation): readonly Prompt[] => [
  commitMessage(workstation),
  ...(canFix(workstation) ? [fixFailingTest] : []),
];

/** Without the tools that it leads to, a prompt would lead nowhere. */
const canFix = ({ settings }: Workstation): boolean =>
  !settings.read_only && ["ci_test", "fs_read_file", "fs_edit_file"].every((name) => settings.tools[name] !== false);
