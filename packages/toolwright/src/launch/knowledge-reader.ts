import { launch } from "./launch.js";

launch("knowledge-reader", __dirname);
