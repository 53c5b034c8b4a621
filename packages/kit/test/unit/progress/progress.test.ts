import { expect, test } from "vitest";
import { describeProgress, toolProgress } from "../../../src/progress/index.js";

function record() {
  const sent: unknown[][] = [];
  return { sent, call: { progress: (...report: unknown[]) => void sent.push(report) } };
}

test("progress is described by stage, counts and unit", () => {
  expect(describeProgress({ stage: "Reading files", done: 120, total: 1800, unit: "files" })).toBe(
    "Reading files: 120 of 1,800 files",
  );
  expect(describeProgress({ stage: "Reading history", done: 500, unit: "commits" })).toBe(
    "Reading history: 500 commits",
  );
});

test("the client receives the start and the end of a stage, and not every step between", () => {
  const { sent, call } = record();
  const onProgress = toolProgress(call);
  for (let done = 0; done <= 200; done += 1) onProgress({ stage: "Reading files", done, total: 200, unit: "files" });
  expect(sent).toEqual([
    [0, "Reading files: 0 of 200 files", 200],
    [200, "Reading files: 200 of 200 files", 200],
  ]);
});

test("a new stage extends the scale, so that values only increase", () => {
  const { sent, call } = record();
  const onProgress = toolProgress(call);
  onProgress({ stage: "Reading", done: 4, total: 4 });
  onProgress({ stage: "Ranking", done: 0, total: 2 });
  onProgress({ stage: "Ranking", done: 2, total: 2 });
  expect(sent).toEqual([
    [4, "Reading: 4 of 4", 4],
    [5, "Ranking: 0 of 2", 7],
    [7, "Ranking: 2 of 2", 7],
  ]);
});

test("known stages share one scale by their weights", () => {
  const { sent, call } = record();
  const onProgress = toolProgress(call, { stages: { Finding: 0, Reading: 3, Indexing: 1 } });
  onProgress({ stage: "Finding", done: 9 });
  onProgress({ stage: "Reading", done: 1, total: 3 });
  onProgress({ stage: "Reading", done: 3, total: 3 });
  onProgress({ stage: "Indexing", done: 0, total: 8 });
  onProgress({ stage: "Indexing", done: 8, total: 8 });
  expect(sent).toEqual([
    [0, "Finding: 9", 1000],
    [250, "Reading: 1 of 3", 1000],
    [750, "Reading: 3 of 3", 1000],
    [750.001, "Indexing: 0 of 8", 1000],
    [1000, "Indexing: 8 of 8", 1000],
  ]);
});
