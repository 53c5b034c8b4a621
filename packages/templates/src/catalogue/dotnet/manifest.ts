import type { TemplateSource } from "../../template.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { author, description, license, projectName, version } from "../shared/parameters.js";
import { dotnetVersion } from "./toolchain.js";

const template = templatesOf("dotnet");

const COMMON = `
    <TargetFramework>net{{ dotnet_version }}</TargetFramework>
    <Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings>
    <AnalysisLevel>latest-recommended</AnalysisLevel>
    <EnforceCodeStyleInBuild>true</EnforceCodeStyleInBuild>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    <RootNamespace>{{ project_name | pascal }}</RootNamespace>`;

const ABOUT = `
    <Version>{{ version }}</Version>
{%- if description != "" %}
    <Description>{{ description | xml }}</Description>
{%- endif %}
{%- if author != "" %}
    <Authors>{{ author | xml }}</Authors>
{%- endif %}
    <PackageLicenseExpression>{{ license }}</PackageLicenseExpression>`;

const PROGRAM = `
    <OutputType>Exe</OutputType>
    <InvariantGlobalization>true</InvariantGlobalization>`;

const SHIPPED = `
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
    <PackageId>{{ project_name | pascal }}</PackageId>
    <Deterministic>true</Deterministic>`;

const project = (sdk: string, properties: string): string => `<Project Sdk="${sdk}">

  <PropertyGroup>${properties}
  </PropertyGroup>

</Project>
`;

const TESTS = `<Project Sdk="Microsoft.NET.Sdk">

  <PropertyGroup>${COMMON.replace("<RootNamespace>{{ project_name | pascal }}", "<RootNamespace>{{ project_name | pascal }}.Tests")}
    <IsPackable>false</IsPackable>
  </PropertyGroup>

  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.14.1" />
    <PackageReference Include="xunit" Version="2.9.3" />
    <PackageReference Include="xunit.runner.visualstudio" Version="3.0.2" PrivateAssets="all" />
  </ItemGroup>

  <ItemGroup>
    <ProjectReference Include="../../src/{{ project_name | pascal }}/{{ project_name | pascal }}.csproj" />
  </ItemGroup>

</Project>
`;

const manifest = (variant: Variant, what: string, body: string): TemplateSource =>
  template("manifest", variant, {
    description: `Project file of ${what}, with nullable types and warnings as errors.`,
    filename: "src/{{ project_name | pascal }}/{{ project_name | pascal }}.csproj",
    parameters: [projectName, description, author, license, version, dotnetVersion],
    body,
  });

/** What the SDK is told of a .NET project. */
export const manifests: readonly TemplateSource[] = [
  manifest("cli", "a .NET program", project("Microsoft.NET.Sdk", PROGRAM + COMMON + ABOUT)),
  manifest("lib", "a .NET library", project("Microsoft.NET.Sdk", COMMON + ABOUT + SHIPPED)),
  manifest("service", "an ASP.NET server", project("Microsoft.NET.Sdk.Web", COMMON + ABOUT)),
  template("manifest-of-tests", "default", {
    description: "Project file of the tests of a .NET project, with xUnit.",
    filename: "tests/{{ project_name | pascal }}.Tests/{{ project_name | pascal }}.Tests.csproj",
    parameters: [projectName, dotnetVersion],
    body: TESTS,
  }),
];
