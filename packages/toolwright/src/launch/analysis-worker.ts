import { launch } from "./launch.js";

launch("analysis-worker", __dirname);
