// Installs the official conformance suites for the tests of this folder.
import { installPackages } from "../support/install-packages.mjs";

const FIRST_NODE_THAT_FITS = 22;
// The optional packages are Node itself, one per platform.
const without = Number.parseInt(process.versions.node, 10) < FIRST_NODE_THAT_FITS ? [] : ["--omit=optional"];
if (!installPackages(new URL("suites/", import.meta.url), "conformance", without)) process.exitCode = 1;
