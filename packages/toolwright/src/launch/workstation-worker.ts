import { launch } from "./launch.js";

launch("workstation-worker", __dirname);
