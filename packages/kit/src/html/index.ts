export { escapeHtml } from "./escape.js";
export { writeSinglePage } from "./single-page.js";
