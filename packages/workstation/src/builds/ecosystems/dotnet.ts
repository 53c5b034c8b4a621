import type { Ecosystem } from "../ecosystem.js";
import { dotnetTest } from "../parsers/dotnet-test.js";
import { parenthesisLines } from "../parsers/parenthesis-lines.js";
import { dotnetFilter } from "../test-names.js";

const MARK = /\.(?:slnx?|csproj|fsproj|vbproj)$/i;

/** .NET, with its own command. */
export const dotnet: Ecosystem = {
  name: "dotnet",
  markIn: (names) => [...names].find((name) => MARK.test(name)),
  async plan(deed, project) {
    const file = project.file !== undefined && MARK.test(project.file) ? [project.file] : [];
    const offline = project.isOnline ? [] : ["--no-restore"];
    const ways: Record<typeof deed, readonly string[]> = {
      build: ["build", ...file, "--nologo", ...offline],
      test: [
        "test",
        ...file,
        "--nologo",
        ...offline,
        ...(project.test ? ["--filter", dotnetFilter(project.test)] : []),
      ],
      restore: ["restore", ...file],
      lint: ["format", ...file, "--verify-no-changes", "--no-restore"],
    };
    return {
      program: "dotnet",
      args: ways[deed],
      env: { DOTNET_CLI_TELEMETRY_OPTOUT: "1", DOTNET_NOLOGO: "1", DOTNET_CLI_UI_LANGUAGE: "en" },
      parsers: [parenthesisLines, dotnetTest],
      install: "Install the .NET SDK from https://dotnet.microsoft.com/download",
    };
  },
};
