import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { fitToSite, PROJECT_PAGES, readProjectPage } from "./project-pages.mjs";

const docs = fileURLToPath(new URL("..", import.meta.url));
const titleIn = (text) => /^# (.+)$/m.exec(text)?.[1];
const titleOf = (page) => titleIn(readFileSync(`${docs}${page}.md`, "utf8")) ?? page;
const items = (folder, names) =>
  names.map((name) => ({ text: titleOf(`${folder}${name}`), link: `/${folder}${name}` }));

const decisions = readdirSync(`${docs}decisions`)
  .filter((file) => file !== "README.md")
  .map((file) => file.replace(/\.md$/, ""));

// biome-ignore lint/style/noDefaultExport: the site's builder reads it.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  title: "Toolwright",
  description: "MCP server software: an engine for every revision of the protocol, and a ready server on it.",
  // Any server of files will do, so that it can be read without a network.
  cleanUrls: false,
  // The words of all pages are one file, which is read when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    config: fitToSite,
    attrs: { disable: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    languageAlias: { caddyfile: "nginx", haproxy: "nginx" },
    // As the repository makes anchors, so that one link fits both.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, "")
          .replaceAll(" ", "-"),
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Guides", link: "/guides/writing-tools" },
      { text: "Reference", link: "/reference/command-line" },
    ],
    sidebar: [
      { text: "Start", items: items("", ["tutorial", "compare"]) },
      {
        text: "Connect clients",
        items: items("guides/", ["claude-desktop", "install", "doctor", "profiles", "using-servers"]),
      },
      {
        text: "The ready server",
        items: items("guides/", [
          "workstation",
          "templates",
          "analysis",
          "todo",
          "knowledge",
          "threats",
          "dashboard",
          "tool-lists",
        ]),
      },
      {
        text: "Write servers",
        items: items("guides/", [
          "writing-tools",
          "resources",
          "prompts",
          "elicitation",
          "tasks",
          "large-results",
          "apps",
          "packs",
          "dev",
          "testing",
          "middleware",
          "client",
        ]),
      },
      {
        text: "Migrate",
        items: items("guides/", [
          "migrating-from-sdk-1",
          "migrating-from-sdk-2",
          "migrating-from-fastmcp",
          "migrating-to-0-2",
        ]),
      },
      {
        text: "Run servers",
        items: items("guides/", [
          "http",
          "proxy",
          "authorization",
          "sockets",
          "transports",
          "observability",
          "operations",
          "recording",
        ]),
      },
      {
        text: "Reference",
        items: items("reference/", [
          "command-line",
          "configuration",
          "tools",
          "server-options",
          "http-options",
          "errors",
          "limits",
          "metrics",
          "threat-patterns",
          "runtimes",
        ]),
      },
      { text: "Explanation", items: items("explanation/", ["revisions", "security"]) },
      {
        text: "The project",
        items: [
          { text: "Rough edges", link: "/rough-edges" },
          ...Object.entries(PROJECT_PAGES).map(([file, page]) => ({
            text: titleIn(readProjectPage(file)),
            link: `/project/${page}`,
          })),
        ],
      },
      { text: "Decisions", link: "/decisions/README", collapsed: true, items: items("decisions/", decisions) },
    ],
  },
});
