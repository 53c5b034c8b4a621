import { attackPathsOf } from "./attack-paths.js";

attackPathsOf(/^git_/);
