import { type Manifest, tomlTable } from "../imports/manifests.js";
import { readObject } from "../imports/resolvers/ecmascript.js";

/** A manifest in a few words. */
export interface DescribedManifest {
  readonly path: string;
  /** The name of the package or module, if it has one. */
  readonly name?: string;
  readonly says: string;
}

const KINDS: Readonly<Record<string, string>> = {
  "package.json": "Node.js",
  "Cargo.toml": "Rust",
  "go.mod": "Go",
  "pyproject.toml": "Python",
  "setup.py": "Python",
  "requirements.txt": "Python",
  "pom.xml": "Maven",
  "build.gradle": "Gradle",
  "build.gradle.kts": "Gradle",
  "composer.json": "PHP",
  Gemfile: "Ruby",
  "Package.swift": "Swift",
  "CMakeLists.txt": "CMake",
};

/** The kinds of project that the manifests indicate, those of the outermost folder first. */
export function kindsOf(manifests: readonly Manifest[]): string[] {
  const sorted = manifests.toSorted((a, b) => a.folder.split("/").length - b.folder.split("/").length);
  const kinds = sorted.flatMap(({ name }) => KINDS[name] ?? (/\.(?:csproj|sln)$/.test(name) ? ".NET" : []));
  return [...new Set(kinds)];
}

/** Describes manifests by names and the names of scripts. Values are left out, because they could be secrets. */
export function describeManifests(manifests: readonly Manifest[]): DescribedManifest[] {
  return manifests
    .filter(({ name }) => name !== "tsconfig.json" && name !== "jsconfig.json" && name !== "Dockerfile")
    .toSorted((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1))
    .map((manifest): DescribedManifest => {
      const [name, says] = describe(manifest);
      return { path: manifest.path, says, ...(name !== undefined && { name }) };
    });
}

type Description = readonly [name: string | undefined, says: string];

function describe({ name: file, text }: Manifest): Description {
  if (file === "package.json" || file === "composer.json") return describePackage(text);
  if (file === "go.mod") {
    const version = /^go\s+([\d.]+)/m.exec(text)?.[1];
    return [/^module\s+"?([^\s"]+)/m.exec(text)?.[1], version === undefined ? "" : `go ${version}`];
  }
  if (file === "Cargo.toml" || file === "pyproject.toml") return describeToml(text);
  if (file === "Makefile") {
    const targets = [...text.matchAll(/^([A-Za-z][\w.-]*):(?!=)/gm)].map(([, target]) => target ?? "");
    return [undefined, listNames("targets", targets)];
  }
  if (file === "pom.xml") return [/<artifactId>([^<]+)</.exec(withoutParent(text))?.[1], ""];
  return [undefined, ""];
}

function withoutParent(text: string): string {
  const start = text.indexOf("<parent>");
  const end = text.indexOf("</parent>", start);
  return start === -1 || end === -1 ? text : text.slice(0, start) + text.slice(end);
}

function describePackage(text: string): Description {
  const manifest = readObject(text);
  if (manifest === undefined) return [undefined, "is not valid JSON"];
  const { name, scripts, workspaces, bin } = manifest;
  const keys = (value: unknown): string[] => (typeof value === "object" && value !== null ? Object.keys(value) : []);
  const folders = Array.isArray(workspaces) ? workspaces.filter((each) => typeof each === "string") : [];
  return [
    typeof name === "string" ? name : undefined,
    join(listNames("scripts", keys(scripts)), listNames("workspaces", folders), listNames("commands", keys(bin))),
  ];
}

function describeToml(text: string): Description {
  const head = tomlTable(text, "package") || tomlTable(text, "project") || tomlTable(text, "tool.poetry");
  const scripts = tomlTable(text, "project.scripts") || tomlTable(text, "tool.poetry.scripts");
  const names = [...scripts.matchAll(/^["']?([\w.-]+)["']?[ \t]*=/gm)].map(([, key]) => key ?? "");
  const list = /^members[ \t]*=\s*\[([^\]]*)\]/m.exec(tomlTable(text, "workspace"))?.[1] ?? "";
  const members = [...list.matchAll(/["']([^"'\n]+)["']/g)].map(([, member]) => member ?? "");
  return [
    /^name[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(head)?.[1],
    join(listNames("scripts", names), listNames("members", members)),
  ];
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("; ");

const listNames = (what: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `${what} ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
