// Puts the clients of others where the tests look for them.
import { installPackages } from "../../support/install-packages.mjs";

if (!installPackages(new URL("./", import.meta.url), "interop-clients")) process.exitCode = 1;
