export { defineConfig } from "./config.ts";
export type { Artefact, DocumentConfig, HandlersConfig, NodewrightConfig } from "./config.ts";
