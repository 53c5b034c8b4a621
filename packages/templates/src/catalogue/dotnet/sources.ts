import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";

const template = templatesOf("dotnet");

const NAME = "{{ project_name | pascal }}";

const about = (kind: string): string =>
  `/// <summary>{% if description != "" %}{{ description | xml }}{% else %}The ${kind} {{ project_name | kebab }}.{% endif %}</summary>`;

const PROGRAM = `namespace ${NAME};

${about("program")}
public static class Program
{
    /// <summary>Starts the program and gives its exit status.</summary>
    public static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    /// <summary>Greets everybody who is named, or the world.</summary>
    public static int Run(IReadOnlyList<string> names, TextWriter output, TextWriter complaints)
    {
        ArgumentNullException.ThrowIfNull(names);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(complaints);

        var option = names.FirstOrDefault(name => name.StartsWith('-'));
        if (option is not null)
        {
            complaints.WriteLine($"There is no option {option}.");
            return 2;
        }

        foreach (var name in names.DefaultIfEmpty("world"))
        {
            output.WriteLine(Greet(name));
        }

        return 0;
    }

    /// <summary>Greets somebody.</summary>
    public static string Greet(string name) => $"Hello, {name}!";
}
`;

const LIBRARY = `namespace ${NAME};

${about("library")}
public static class Greeting
{
    /// <summary>Greets somebody.</summary>
    public static string Of(string name) => $"Hello, {name}!";
}
`;

const SERVER = `using ${NAME};

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddHealthChecks();

var app = builder.Build();
app.MapGet("/", () => new { message = Greeting.Of("world") });
app.MapHealthChecks("/healthz");

// A container says where it listens; on a developer's machine nobody else is to reach it.
var isTold = Environment.GetEnvironmentVariable("ASPNETCORE_HTTP_PORTS") is not null;
await app.RunAsync(isTold ? null : "http://localhost:{{ port }}");

namespace ${NAME}
{
    ${about("server")}
    public static class Greeting
    {
        /// <summary>Greets somebody.</summary>
        public static string Of(string name) => $"Hello, {name}!";
    }
}
`;

const TEST = `using System.Globalization;
using Xunit;

namespace ${NAME}.Tests;

public class ProgramTests
{
    [Fact]
    public void GreetsTheWorldWhenNobodyIsNamed() => Assert.Equal((0, "Hello, world!"), Run());

    [Fact]
    public void GreetsByName() => Assert.Equal((0, "Hello, Ada!"), Run("Ada"));

    [Fact]
    public void RefusesAnUnknownOption() => Assert.Equal(2, Run("--loud").Status);

    private static (int Status, string Output) Run(params string[] args)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        var status = Program.Run(args, output, TextWriter.Null);
        return (status, output.ToString().TrimEnd());
    }
}
`;

const LIBRARY_TEST = `using Xunit;

namespace ${NAME}.Tests;

public class GreetingTests
{
    [Fact]
    public void GreetsByName() => Assert.Equal("Hello, Ada!", Greeting.Of("Ada"));
}
`;

/** The first code of a .NET project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a .NET program.",
    filename: `src/${NAME}/Program.cs`,
    parameters: [projectName, description],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a .NET library.",
    filename: `src/${NAME}/Greeting.cs`,
    parameters: [projectName, description],
    body: LIBRARY,
  }),
  template("source", "service", {
    description: "First code of an ASP.NET server that answers HTTP.",
    filename: `src/${NAME}/Program.cs`,
    parameters: [projectName, description, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a .NET program.",
    filename: `tests/${NAME}.Tests/ProgramTests.cs`,
    parameters: [projectName],
    body: TEST,
  }),
  template("test", "lib", {
    description: "First tests of a .NET library.",
    filename: `tests/${NAME}.Tests/GreetingTests.cs`,
    parameters: [projectName],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "First tests of an ASP.NET server.",
    filename: `tests/${NAME}.Tests/GreetingTests.cs`,
    parameters: [projectName],
    body: LIBRARY_TEST,
  }),
];
