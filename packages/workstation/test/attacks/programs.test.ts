import { attackPathsOf } from "./attack-paths.js";

attackPathsOf(/^(?!fs_|git_)/);
