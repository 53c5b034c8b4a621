import { launch } from "./launch.js";

launch("templates-worker", __dirname);
