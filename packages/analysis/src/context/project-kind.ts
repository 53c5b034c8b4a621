import type { Manifest } from "../imports/manifests.js";
import { readObject } from "../imports/resolvers/ecmascript.js";

/** What a manifest says of its folder, in a few words. */
export interface Said {
  readonly path: string;
  /** The name of the package or module, where it has one. */
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

/** The kinds of project that the manifests of a folder make it, those of the folder itself first. */
export function kindsOf(manifests: readonly Manifest[]): string[] {
  const sorted = manifests.toSorted((a, b) => a.folder.split("/").length - b.folder.split("/").length);
  const kinds = sorted.flatMap(({ name }) => KINDS[name] ?? (/\.(?:csproj|sln)$/.test(name) ? ".NET" : []));
  return [...new Set(kinds)];
}

/** What the manifests say, without any values that could be secrets: names, and the names of scripts. */
export function sayManifests(manifests: readonly Manifest[]): Said[] {
  return manifests
    .filter(({ name }) => name !== "tsconfig.json" && name !== "jsconfig.json" && name !== "Dockerfile")
    .toSorted((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1))
    .map((manifest): Said => {
      const [name, says] = read(manifest);
      return { path: manifest.path, says, ...(name !== undefined && { name }) };
    });
}

type Words = readonly [name: string | undefined, says: string];

function read({ name: file, text }: Manifest): Words {
  if (file === "package.json" || file === "composer.json") return readPackage(text);
  if (file === "go.mod")
    return [/^module\s+"?([^\s"]+)/m.exec(text)?.[1], versionOf(/^go\s+([\d.]+)/m.exec(text), "go")];
  if (file === "Cargo.toml" || file === "pyproject.toml") return readToml(text);
  if (file === "Makefile")
    return [
      undefined,
      listed(
        "targets",
        [...text.matchAll(/^([A-Za-z][\w.-]*):(?!=)/gm)].map(([, target]) => target ?? ""),
      ),
    ];
  if (file === "pom.xml") return [/<artifactId>([^<]+)</.exec(text.replace(/<parent>[^]*?<\/parent>/, ""))?.[1], ""];
  return [undefined, ""];
}

function readPackage(text: string): Words {
  const told = readObject(text);
  if (told === undefined) return [undefined, "is no JSON"];
  const { name, scripts, workspaces, bin } = told;
  const names = (value: unknown): string[] => (typeof value === "object" && value !== null ? Object.keys(value) : []);
  const says = [
    listed("scripts", names(scripts)),
    Array.isArray(workspaces)
      ? listed(
          "workspaces",
          workspaces.filter((each) => typeof each === "string"),
        )
      : "",
    listed("commands", names(bin)),
  ];
  return [typeof name === "string" ? name : undefined, says.filter((each) => each !== "").join("; ")];
}

function readToml(text: string): Words {
  const table = (name: string) => new RegExp(`^\\[${name}\\]([^]*?)(?=^\\[|$(?![^]))`, "m").exec(text)?.[1] ?? "";
  const head = table("package") || table("project") || table("tool\\.poetry");
  const keys = (body: string) => [...body.matchAll(/^\s*["']?([\w.-]+)["']?\s*=/gm)].map(([, key]) => key ?? "");
  const says = [
    listed("scripts", keys(table("project\\.scripts") || table("tool\\.poetry\\.scripts"))),
    listed(
      "members",
      [...(/^\s*members\s*=\s*\[([^\]]*)\]/m.exec(table("workspace"))?.[1] ?? "").matchAll(/["']([^"']+)["']/g)].map(
        ([, member]) => member ?? "",
      ),
    ),
  ];
  return [/^\s*name\s*=\s*["']([^"']+)["']/m.exec(head)?.[1], says.filter((each) => each !== "").join("; ")];
}

const versionOf = (match: RegExpExecArray | null, word: string): string =>
  match === null ? "" : `${word} ${match[1]}`;

const listed = (word: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `${word} ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
