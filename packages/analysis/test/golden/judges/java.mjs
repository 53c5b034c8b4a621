import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const JARS = process.env.JUDGES_PMD;

const RULES = `<?xml version="1.0"?>
<ruleset name="all" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0"><description>Every method</description>
  <rule ref="category/java/design.xml/CyclomaticComplexity"><properties>
    <property name="methodReportLevel" value="1"/><property name="classReportLevel" value="100000"/>
  </properties></rule>
  <rule ref="category/java/design.xml/CognitiveComplexity"><properties><property name="reportLevel" value="1"/></properties></rule>
</ruleset>`;

/** PMD. JUDGES_PMD is a folder with the jars of pmd-java and pmd-cli and what they need. */
export const judges = [
  {
    name: "pmd",
    languages: ["java"],
    version: () =>
      JARS &&
      readdirSync(JARS)
        .map((jar) => /^pmd-java-(.+)\.jar$/.exec(jar)?.[1])
        .find(Boolean),
    measure(folder) {
      const scratch = mkdtempSync(path.join(tmpdir(), "pmd-"));
      try {
        return read(check(folder, path.join(scratch, "rules.xml")), folder);
      } finally {
        rmSync(scratch, { recursive: true });
      }
    },
  },
];

function check(folder, rules) {
  writeFileSync(rules, RULES);
  const words = ["check", "-d", folder, "-R", rules, "-f", "csv", "--no-cache", "--no-progress"];
  return spawnSync("java", ["-cp", path.join(JARS, "*"), "net.sourceforge.pmd.cli.PmdCli", ...words], {
    encoding: "utf8",
  }).stdout;
}

/** Below its threshold of one the cognitive rule is silent. */
function read(report, folder) {
  const found = new Map();
  const rows = report.matchAll(/"([^"]+\.java)","3","(\d+)","The \w+ '(\w+)\(.*' has a (\w+) complexity of (\d+)/g);
  for (const [, place, line, name, metric, number] of rows) {
    const file = path.basename(place);
    const start = startOf(path.join(folder, file), Number(line));
    const known = found.get(`${file}:${start}:${name}`) ?? { file, name, line: start, cognitive: 0 };
    found.set(`${file}:${start}:${name}`, { ...known, [metric]: Number(number) });
  }
  return [...found.values()].map(({ file, name, line, cyclomatic, cognitive }) => ({
    file,
    name,
    line,
    cyclomatic,
    cognitive,
  }));
}

/** Our methods begin with their annotations. */
function startOf(place, line) {
  const lines = readFileSync(place, "utf8").split("\n");
  let start = line;
  while (lines[start - 2]?.trim().startsWith("@")) start--;
  return start;
}
