import { base } from "./requirements/base.js";
import { features } from "./requirements/features.js";
import { questions } from "./requirements/questions.js";
import type { Requirement } from "./requirements/row.js";
import { security } from "./requirements/security.js";
import { tasks } from "./requirements/tasks.js";
import { traffic } from "./requirements/traffic.js";
import { transports } from "./requirements/transports.js";

/** Every row of the requirement matrix, covered or left for a later stage; `coverage.test.ts` holds the tests to it. */
export const requirements: readonly Requirement[] = [
  ...base,
  ...traffic,
  ...features,
  ...questions,
  ...tasks,
  ...transports,
  ...security,
];
