export { applyPlan, writeFileAtomically } from "./apply-plan.ts";
export { renderDifference } from "./difference.ts";
export { digestOf, digestOfAll } from "./digest.ts";
export { manifestName, parseManifest, serializeManifest } from "./manifest.ts";
export type { HandlersRecord, Manifest } from "./manifest.ts";
export { planWrite, readDirectoryState } from "./write-plan.ts";
export type { DirectoryState, FileChange, WritePlan } from "./write-plan.ts";
