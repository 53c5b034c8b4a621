// Installs third-party assistants for the tests: large programs, so apart from the clients.
import { installPackages } from "../../support/install-packages.mjs";

if (!installPackages(new URL("./", import.meta.url), "interop-agents")) process.exitCode = 1;
