import { describe, expect, it } from "vitest";
import { showCommand, splitCommand } from "../../../src/processes/open-command.js";

describe("splitCommand", () => {
  it.each([
    ["git log", ["git", "log"]],
    ["  a \t b\n c ", ["a", "b", "c"]],
    ["a 'b c' \"d e\"", ["a", "b c", "d e"]],
    ["a '' \"\" b", ["a", "", "", "b"]],
    ["a b'c 'd\"e\"", ["a", "bc de"]],
    ["a 'b\\c' 'd\"e'", ["a", "b\\c", 'd"e']],
    ['a "b\\"c\\\\d\\n"', ["a", 'b"c\\d\\n']],
    ["a b\\ c \\'d\\\\", ["a", "b c", "'d\\"]],
    ["echo $HOME * ~ #x", ["echo", "$HOME", "*", "~", "#x"]],
  ])("reads %j", (command, argv) => {
    expect(splitCommand(command).argv).toEqual(argv);
  });

  it.each([
    ["", "it is empty"],
    [" \n", "it is empty"],
    ["a 'b", "the quote ' at character 3 is never closed"],
    ['a b"c', 'the quote " at character 4 is never closed'],
    ['a "b\\"', 'the quote " at character 3 is never closed'],
    ["a \\", "it ends in a backslash"],
  ])("refuses %j", (command, reason) => {
    expect(() => splitCommand(command)).toThrow(reason);
  });

  it("notices what a shell would have acted on, where it is not quoted", () => {
    const words = (command: string): readonly string[] => splitCommand(command).shellWords;
    expect(words("a | b > c 2>&1 && d || e ; f &")).toEqual(["|", ">", "2>&1", "&&", "||", ";", "&"]);
    expect(words("a $(b) `c` $D ${E} x; <in")).toEqual(["$(b)", "`c`", "$D", "${E}", "x;", "<in"]);
    expect(words("a '|' \"&&\" '$(b)' --x=a>b 5% a&b -- -")).toEqual([]);
  });

  it("reads back what showCommand writes", () => {
    for (const argv of [["a", "", "b c", "d'e", 'f"g', "h\\i", "j'k\"l\\m", "$n", "o\np", "-q=r"], ["x"]])
      expect(splitCommand(showCommand(argv)).argv).toEqual(argv);
  });
});
