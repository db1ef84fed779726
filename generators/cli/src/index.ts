export { defineConfig } from "./configuration/config.ts";
export type { Artefact, DocumentConfig, HandlersConfig, NodewrightConfig } from "./configuration/config.ts";
