export { barChart, byteSize, count, exactTime, excerpt, facts, linePlot, live, moment, table } from "./elements.js";
export type { ActionRequest, ChangeFeed, Page, PageAction, PageContent, PageRequest } from "./page.js";
export { storeChanges } from "./page.js";
