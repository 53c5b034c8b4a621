import type { Plugin } from "esbuild";

/** For esbuild: bundles the packages of this repository from their sources. The engine and npm packages stay external. */
export declare const workspacePackages: Plugin;
