// Installs third-party clients for the tests.
import { installPackages } from "../../support/install-packages.mjs";

if (!installPackages(new URL("./", import.meta.url), "interop-clients")) process.exitCode = 1;
