import type { Tool } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { ciBuild } from "./ci-build.js";
import { ciLint } from "./ci-lint.js";
import { ciRestore } from "./ci-restore.js";
import { ciRunCommand } from "./ci-run-command.js";
import { ciTest } from "./ci-test.js";
import { ciWorkflows } from "./ci-workflows.js";
import { processRead } from "./process-read.js";
import { processStart } from "./process-start.js";
import { processStop } from "./process-stop.js";

/** The tools that build, test and run programs. */
export const buildTools = (workstation: Workstation): readonly Tool[] => [
  ciBuild(workstation),
  ciTest(workstation),
  ciRestore(workstation),
  ciLint(workstation),
  ciRunCommand(workstation),
  ciWorkflows(workstation),
  processStart(workstation),
  processRead(workstation),
  processStop(workstation),
];
