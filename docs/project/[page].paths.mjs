import { PROJECT_PAGES, readProjectPage } from "../.vitepress/project-pages.mjs";

// oxlint-disable-next-line import/no-default-export -- the builder of the site reads it
export default {
  paths: () =>
    Object.entries(PROJECT_PAGES).map(([file, page]) => ({ params: { page }, content: readProjectPage(file) })),
};
