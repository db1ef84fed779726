export { defineConfig } from "./configuration/config.ts";
export type {
  Artefact,
  DocumentConfig,
  EmitterSelection,
  HandlersConfig,
  NodewrightConfig,
  ScalarConfig,
} from "./configuration/config.ts";
export type { ReportedChange, ReportedDocument, RunReport } from "./report/json-report.ts";
