export { escapeHtml, Html, type HtmlPart, html } from "./html.js";
export { writeSinglePage } from "./single-page.js";
