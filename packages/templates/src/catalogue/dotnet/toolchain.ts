import { choice } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";

/** The .NET that the project is for: only those with long support. */
export const dotnetVersion = choice("dotnet_version", "Version of .NET.", ["10.0", "8.0"]);

/** .NET with C# and xUnit. */
export const dotnet: Toolchain = {
  name: "dotnet",
  title: ".NET",
  needs: ["The .NET SDK: <https://dotnet.microsoft.com/download>", "make"],
  commands: {
    prepare: "make restore",
    format: "make format",
    formatCheck: "make format-check",
    lint: "make lint",
    build: "make build",
    test: "make test",
    run: "dotnet run --project src/{{ project_name | pascal }} -- world",
    serve: "dotnet run --project src/{{ project_name | pascal }}",
  },
  library: {
    install: "dotnet add package {{ project_name | pascal }}",
    language: "csharp",
    example: 'Console.WriteLine({{ project_name | pascal }}.Greeting.Of("world"));',
  },
  indents: [
    { pattern: "*.cs", style: "space", size: 4, width: 120 },
    { pattern: "*.{csproj,props,targets,slnx}", style: "space", size: 2 },
  ],
};
