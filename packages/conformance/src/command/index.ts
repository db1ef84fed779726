export type { ConformArguments } from "./conform-arguments.ts";
export type { ConformExitCode, LoadedSuite } from "./conform.ts";
export { createInterrupt } from "./interrupt.ts";
export { loadApiSuite } from "./load-api-suite.ts";
export { type ConformCommand, runConform } from "./run-conform.ts";
export type { ConformStreams, OutputStream } from "./streams.ts";
export { UsageError } from "@nodewright/terminal-text";
