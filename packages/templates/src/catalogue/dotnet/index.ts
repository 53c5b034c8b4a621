import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf } from "../shared/of.js";
import { port, projectName } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { workflow } from "../shared/workflow.js";
import { manifests } from "./manifest.js";
import { sources } from "./sources.js";
import { dotnet, dotnetVersion } from "./toolchain.js";

const template = templatesOf("dotnet");

const SETTINGS = `DOTNET ?= dotnet
PROJECT := src/{{ project_name | pascal }}
TESTS := tests/{{ project_name | pascal }}.Tests
export DOTNET_CLI_TELEMETRY_OPTOUT := 1`;

const TARGETS: readonly Target[] = [
  { name: "restore", about: "Fetch what the project builds on", run: ["$(DOTNET) restore $(PROJECT)"] },
  { name: "build", about: "Build for release", run: ["$(DOTNET) build --configuration Release $(PROJECT)"] },
  { name: "run", about: "Run the program with ARGS", run: ["$(DOTNET) run --project $(PROJECT) -- $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(DOTNET) test $(TESTS)"] },
  { name: "format", about: "Lay the code out", run: ["$(DOTNET) format $(PROJECT)"] },
  {
    name: "format-check",
    about: "Check the layout of the code",
    run: ["$(DOTNET) format whitespace $(PROJECT) --verify-no-changes"],
  },
  { name: "lint", about: "Look for mistakes", run: ["$(DOTNET) format analyzers $(PROJECT) --verify-no-changes"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint{% if has_tests %} test{% endif %}",
  },
  {
    name: "package",
    about: "Make the NuGet package",
    run: ["$(DOTNET) pack --configuration Release --output dist $(PROJECT)"],
  },
  {
    name: "clean",
    about: "Remove what was built",
    run: ["rm -rf dist $(PROJECT)/bin $(PROJECT)/obj $(TESTS)/bin $(TESTS)/obj"],
  },
];

const dockerfile = (image: string): string => `# syntax=docker/dockerfile:1
FROM mcr.microsoft.com/dotnet/sdk:{{ dotnet_version }} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.nuget/packages \\
    dotnet publish src/{{ project_name | pascal }} --configuration Release --output /app -p:UseAppHost=false

FROM mcr.microsoft.com/dotnet/${image}:{{ dotnet_version }}
WORKDIR /app
COPY --from=build /app .
ENV DOTNET_EnableDiagnostics=0
USER $APP_UID
`;

const START = 'ENTRYPOINT ["dotnet", "{{ project_name | pascal }}.dll"]\n';

/** Every template for .NET. */
export const dotnetTemplates: readonly TemplateSource[] = [
  ...makefiles(dotnet, {
    cli: { settings: `${SETTINGS}\nARGS ?=`, targets: without(TARGETS, "package") },
    lib: { settings: SETTINGS, targets: without(TARGETS, "run") },
    service: {
      settings: SETTINGS,
      targets: ofServer(without(TARGETS, "package"), "$(DOTNET) run --project $(PROJECT)"),
    },
  }),
  readmeOfProgram(dotnet),
  ...readmesOfOthers(dotnet),
  gitignore(dotnet, [
    ["What the SDK leaves behind", "[Bb]in/", "[Oo]bj/", "/dist/", "*.nupkg", "*.snupkg", "TestResults/", "*.binlog"],
    ["Files of IDEs", ".vs/", "*.user", "*.suo", "*.DotSettings.user"],
  ]),
  ...manifests,
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a .NET program that is published in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, dotnetVersion],
    body: dockerfile("runtime") + START,
  }),
  template("dockerfile", "service", {
    description: "Image of an ASP.NET server that is published in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, dotnetVersion, port],
    body: `${dockerfile("aspnet")}ENV ASPNETCORE_HTTP_PORTS={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(dotnet, {
    parameters: [projectName, dotnetVersion],
    setup: '- uses: actions/setup-dotnet@v5\n  with:\n    dotnet-version: "<{ dotnet_version }>.x"',
    check: [
      ["Layout", "dotnet format whitespace src/<{ project_name | pascal }> --verify-no-changes"],
      ["Lint", "dotnet format analyzers src/<{ project_name | pascal }> --verify-no-changes"],
    ],
    test: [
      ["Build", "dotnet build --configuration Release src/<{ project_name | pascal }>"],
      ["Test", "dotnet test tests/<{ project_name | pascal }>.Tests"],
    ],
  }),
  precommit(dotnet, [
    { id: "dotnet-format", name: "dotnet format", entry: "make format-check", files: "\\.(cs|csproj)$" },
  ]),
  editorconfig(dotnet),
  contributing(dotnet),
];
