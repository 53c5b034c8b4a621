// npm run soak: mixed traffic with cancellations, disconnects and misbehaving tools against real servers.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = new URL("../../", import.meta.url);
const folder = new URL("node_modules/.cache/soak/", root);
mkdirSync(folder, { recursive: true });
const outfile = fileURLToPath(new URL("main.mjs", folder));
const entryPoints = [fileURLToPath(new URL("main.ts", import.meta.url))];
await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
const { main } = await import(new URL("main.mjs", folder).href);
process.exitCode = await main(process.argv.slice(2), root);
