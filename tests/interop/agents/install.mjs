// Puts the assistants of others where the tests look for them: large programs, so apart from the clients.
import { installPackages } from "../../support/install-packages.mjs";

if (!installPackages(new URL("./", import.meta.url), "interop-agents")) process.exitCode = 1;
