import { describe, expect, test } from "vitest";
import type { ThreatPattern } from "../../src/format/pattern.js";
import { compileCorpus } from "../../src/library/compile.js";
import { createRanking } from "../../src/ranking/ranking.js";
import { CORPUS } from "../corpus-files.js";

const { index, patterns } = await compileCorpus(CORPUS, "patterns");
const ranking = createRanking(index);
const firstThree = (context: string): readonly string[] =>
  ranking
    .rank({ context })
    .slice(0, 3)
    .map(({ pattern }) => pattern.id);

/** The ids that a query for a pattern can return: its own, and those of related patterns in both directions. */
function relatedTo({ id, related_patterns: own = [] }: ThreatPattern): ReadonlySet<string> {
  const others = patterns.filter(({ related_patterns: theirs = [] }) => theirs.some((related) => related.id === id));
  return new Set([id, ...own.map((related) => related.id), ...others.map((other) => other.id)]);
}

const asked = patterns.flatMap((pattern) =>
  (pattern.testing?.queries?.finds ?? []).map((context) => ({ pattern, context, ids: firstThree(context) })),
);

describe("the queries of the built-in patterns", () => {
  test("find their pattern among the first three", () => {
    const missed = asked.filter(({ pattern, ids }) => !ids.includes(pattern.id));
    expect(asked.length).toBeGreaterThan(180);
    expect(missed.map(({ pattern, context }) => `${pattern.id}: ${context}`)).toEqual([]);
  });

  // test/development contains relevance judgements by people. Here only related_patterns count.
  test("return at most a quarter of unrelated patterns", () => {
    const named = asked.flatMap(({ pattern, ids }) => ids.map((id) => relatedTo(pattern).has(id)));
    expect(named.filter(Boolean).length / named.length).toBeGreaterThan(0.75);
  });

  test("do not find patterns for their ignored queries", () => {
    const ignored = patterns.flatMap((pattern) =>
      (pattern.testing?.queries?.ignores ?? []).map((context) => ({ pattern, context })),
    );
    const wrong = ignored.filter(({ pattern, context }) => firstThree(context).includes(pattern.id));
    expect(ignored.length).toBeGreaterThan(120);
    expect(wrong.map(({ pattern, context }) => `${pattern.id}: ${context}`)).toEqual([]);
  });
});

describe("ambiguous words", () => {
  test.each([
    "video transcoding with small files",
    "video",
    "load balancer",
    "set up a load balancer in front of the web servers",
    "center a div with css grid",
    "sort an array of integers in place",
    "dark mode toggle in the settings page",
    "compute fibonacci numbers recursively",
    "paginate a table in react",
    "improve the rendering performance of a chart",
    "write unit tests for the parser",
    "translate the UI into German",
    "calculate the shortest path between two cities",
    "add keyboard shortcuts to the editor",
    "upgrade to the newest version of TypeScript",
    "tenant farming in the nineteenth century",
    "token ring network simulation",
    "parse a webhook of fishing gear",
    "key signature of a piano sonata",
    "frame rate of the game loop drops",
    "stock photos for the about page",
  ])("%s: nothing", (context) => {
    expect(firstThree(context)).toEqual([]);
  });
});

describe("examples in the descriptions", () => {
  test.each([
    ["a webhook that marks orders paid", "TMKB-ASYNC-001"],
    ["an export job per tenant", "TMKB-AUTHZ-001"],
  ])("%s: %s first", (context, id) => {
    expect(firstThree(context)[0]).toBe(id);
  });
});

describe("the name of a pattern", () => {
  test.each(index.map(({ name, id }) => [name, id]))("%s finds %s among the first three", (name, id) => {
    expect(firstThree(name)).toContain(id);
  });
});

describe("the queries of the source document", () => {
  test.each([
    ["background job processing", "TMKB-AUTHZ-001"],
    ["multi-tenant API endpoint", "TMKB-AUTHZ-004"],
  ])("%s: %s first", (context, id) => {
    expect(firstThree(context)[0]).toBe(id);
  });

  test("background jobs of a Flask application return the lost authorization first, and two more patterns", () => {
    const found = ranking.rank({ context: "background job processing", language: "python", framework: "flask" });
    expect(found.map(({ pattern }) => pattern.id)).toEqual(["TMKB-AUTHZ-001", "TMKB-ASYNC-004", "TMKB-ASYNC-005"]);
  });
});

describe("queries that are only code", () => {
  test.each([
    [`cursor.execute(f"SELECT * FROM users WHERE name = '{name}'")`, "TMKB-INPUT-001"],
    ["const page = await fetch(req.query.url)", "TMKB-OUTBOUND-001"],
    [`open(os.path.join(BASE, request.args["file"]))`, "TMKB-FILES-001"],
    ["element.innerHTML = comment.body", "TMKB-INPUT-002"],
    [`exec("ping " + host)`, "TMKB-INPUT-004"],
    ["pickle.loads(message.body)", "TMKB-INPUT-007"],
    [`localStorage.setItem("access_token", token)`, "TMKB-BROWSER-005"],
    ["if (signature === expected) return next()", "TMKB-CRYPTO-004"],
    ["wallet.balance -= amount", "TMKB-LOGIC-001"],
    ["router.get('/projects/:projectId/tasks/:taskId', show)", "TMKB-AUTHZ-010"],
  ])("%s: %s first", (context, id) => {
    expect(firstThree(context)[0]).toBe(id);
  });

  test.each(["const total = items.reduce((a, b) => a + b, 0)", "for (let i = 0; i < 10; i++) draw(i)"])(
    "%s: nothing",
    (context) => {
      expect(firstThree(context)).toEqual([]);
    },
  );
});
