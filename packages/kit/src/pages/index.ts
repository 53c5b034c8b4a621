export { barChart, linePlot } from "./charts.js";
export { byteSize, count, exactTime, excerpt, facts, live, moment, table } from "./elements.js";
export type { ActionRequest, ChangeFeed, Page, PageAction, PageContent, PageRequest } from "./page.js";
export { storeChanges } from "./store-changes.js";
