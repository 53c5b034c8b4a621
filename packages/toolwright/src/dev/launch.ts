import path from "node:path";

/** How the process with the author's code is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The built file that lets Node read TypeScript. */
const HOOKS = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/typescript-hooks.js" : "./typescript-hooks.js",
  import.meta.url,
);

/** Starts a file with Node, which is taught TypeScript where the file is that. */
export function launchFile(file: string, args: readonly string[]): Launch {
  const hooks = ["--import", HOOKS.href, "--disable-warning=ExperimentalWarning"];
  const isTypeScript = /\.m?ts$/.test(file);
  return {
    command: process.execPath,
    args: [...(isTypeScript ? hooks : []), path.resolve(file), ...args],
    ...surroundings(),
  };
}

/** Starts any program. */
export const launchCommand = (command: string, args: readonly string[]): Launch => ({
  command,
  args,
  ...surroundings(),
});

const surroundings = (): Pick<Launch, "cwd" | "env"> => ({ cwd: process.cwd(), env: process.env });
