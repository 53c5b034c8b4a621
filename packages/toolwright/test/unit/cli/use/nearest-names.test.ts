import { expect, test } from "vitest";
import { didYouMean, nearestNames } from "../../../../src/cli/use/nearest-names.js";

test("a name in another spelling is meant, whatever else is near", () => {
  expect(nearestNames("getTask", ["get_task", "get_tasks"])).toEqual({ only: "get_task", all: ["get_task"] });
});

test("of several near ones none is meant", () => {
  const near = nearestNames("get_tas", ["get_tasks", "echo", "get_task"]);
  expect(near).toEqual({ only: undefined, all: ["get_task", "get_tasks"] });
  expect(didYouMean(near)).toBe("; did you mean get_task or get_tasks?");
});

test("of names that begin alike the end decides", () => {
  const names = ["test_prompt_with_arguments", "test_prompt_with_image"];
  expect(nearestNames("test_prompt_with_argments", names)).toEqual({
    only: "test_prompt_with_arguments",
    all: ["test_prompt_with_arguments"],
  });
});

test("what is not near is not named", () => {
  const near = nearestNames("x", ["get_tasks", "echo"]);
  expect(near).toEqual({ only: undefined, all: [] });
  expect(didYouMean(near)).toBe("");
});

test("names that differ only in case are ambiguous", () => {
  expect(nearestNames("ECHO", ["echo", "Echo"])).toEqual({ only: undefined, all: ["echo", "Echo"] });
});
