import { launch } from "./launch.js";

launch("threats-worker", __dirname);
