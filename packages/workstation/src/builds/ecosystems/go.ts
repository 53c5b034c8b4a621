import { devNull } from "node:os";
import type { Ecosystem, Plan } from "../ecosystem.js";
import { colonLines } from "../parsers/colon-lines.js";
import { goTest } from "../parsers/go-test.js";
import { goPattern } from "../test-names.js";

/** Go, with its own command. */
export const go: Ecosystem = {
  name: "go",
  markIn: (names) => ["go.mod", "go.work"].find((name) => names.has(name)),
  async plan(deed, project) {
    const module = /^\s*module\s+"?([^\s"]+)/m.exec((await project.read("go.mod")) ?? "")?.[1] ?? "";
    const ways: Record<typeof deed, Pick<Plan, "args" | "parsers">> = {
      build: { args: ["build", "-o", devNull, "./..."], parsers: [colonLines] },
      test: {
        args: ["test", "-json", ...testArgs(project.test, module)],
        parsers: [goTest(module)],
      },
      restore: { args: ["mod", "download"], parsers: [colonLines] },
      lint: { args: ["vet", "./..."], parsers: [colonLines] },
    };
    return {
      program: "go",
      ...ways[deed],
      env: { GOTOOLCHAIN: "local", ...(!project.isOnline && { GOPROXY: "off" }) },
      install: "Install Go from https://go.dev/dl",
    };
  },
};

function testArgs(test: string | undefined, module: string): readonly string[] {
  if (test === undefined) return ["./..."];
  const { where, pattern } = goPattern(test, module);
  return [`-run=${pattern}`, where];
}
