/**
 * For esbuild: bundles the packages of this repository from their sources. The engine and npm packages stay external.
 * @type {import("esbuild").Plugin}
 */
export const workspacePackages = {
  name: "workspace-packages",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || /^@toolwright\/(?!engine)/.test(path) ? undefined : { path, external: true },
    );
  },
};
