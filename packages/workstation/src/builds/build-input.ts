/** What ci_build, ci_restore and ci_lint take, and ci_test too; `projectPath` is how an older server spelled it. */
export const BUILD_PROPERTIES = {
  project_path: { type: "string", default: "." },
  projectPath: { type: "string" },
  ecosystem: { enum: ["auto", "node", "python", "rust", "go", "java", "dotnet", "make"], default: "auto" },
} as const;
