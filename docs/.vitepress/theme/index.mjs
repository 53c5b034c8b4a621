// The letters of the system: nothing is fetched, and there is nothing to wait for.
import theme from "vitepress/theme-without-fonts";
// oxlint-disable-next-line import/no-unassigned-import -- it is there for its styles
import "./site.css";

// oxlint-disable-next-line import/no-default-export -- the builder of the site reads it
export default theme;
