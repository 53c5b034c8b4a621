import type { Prompt } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { commitMessage } from "./commit-message.js";
import { fixFailingTest } from "./fix-failing-test.js";

/** What people can start with one word. */
export const prompts = (workstation: Workstation): readonly Prompt[] => [commitMessage(workstation), fixFailingTest];
