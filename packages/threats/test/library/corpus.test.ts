import { describe, expect, test } from "vitest";
import { compileCorpus, formatDiagnostic } from "../../src/library/compile.js";
import { builtInCorpus } from "../../src/library/corpus.js";
import { CORPUS, corpusFiles } from "../corpus-files.js";

const { index, patterns, diagnostics } = await compileCorpus(CORPUS, "patterns");

const FAMILIES =
  "agent async authn authz browser config crypto fail files input logic outbound privacy supply tenant".split(" ");
const STACKS = `
  python/flask python/django python/fastapi python/celery
  typescript/express typescript/nestjs typescript/next typescript/bullmq typescript/mcp
  go/net-http go/gin go/asynq java/spring csharp/aspnet-core ruby/rails ruby/sidekiq
  php/laravel rust/axum dockerfile/docker terraform/aws github-actions/actions
`
  .trim()
  .split(/\s+/);

describe("the built-in patterns", () => {
  test("have neither errors nor warnings", () => {
    expect(diagnostics.map(formatDiagnostic)).toEqual([]);
    expect(patterns).toHaveLength(corpusFiles().length);
  });

  test("are at least sixty, including twenty of tier A, in fifteen families", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(60);
    expect(patterns.filter(({ tier }) => tier === "A").length).toBeGreaterThanOrEqual(20);
    expect([...new Set(patterns.map(({ category }) => category))].sort()).toEqual(FAMILIES);
  });

  test("are named after their id, in the folder of their family", () => {
    const places = patterns.map(({ id, category }) => `${category}/${id}.yaml`);
    expect(corpusFiles().map(({ file }) => file)).toEqual(places.sort());
  });

  test("have code for every documented language and framework", () => {
    const stacks = new Set(
      index.flatMap(({ code }) => code.map(({ language, framework }) => `${language}/${framework}`)),
    );
    expect(STACKS.filter((stack) => !stacks.has(stack))).toEqual([]);
  });

  test("have a public reference, and claim no unobserved baseline", () => {
    const bare = patterns.filter(({ provenance }) => (provenance?.public_references ?? []).length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
    const claims = patterns.filter(
      ({ validation }) => (validation?.baseline_test?.observed ?? "not measured") !== "not measured",
    );
    expect(claims.map(({ id }) => id)).toEqual([]);
  });

  test("are compiled without changes", async () => {
    const compiled = await builtInCorpus.index();
    expect(compiled.map(({ id }) => id)).toEqual(index.map(({ id }) => id));
    expect(compiled).toEqual(index);
    const first = patterns[0];
    expect(await builtInCorpus.pattern(first?.id ?? "")).toEqual(first);
  });
});
