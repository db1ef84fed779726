export { type Page, type PageFile, readPage } from "./page.ts";
export type { PageConfiguration, PageEndpoint } from "./page-configuration.ts";
