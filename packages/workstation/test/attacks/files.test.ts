import { attackPathsOf } from "./attack-paths.js";

attackPathsOf(/^fs_(?!write|edit|move|delete|create)/);
