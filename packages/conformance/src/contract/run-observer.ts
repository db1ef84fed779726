import type { CaseReport } from "./report.ts";

/** Listener of a run, for progress and for reports that are written line by line. */
export interface RunObserver {
  /** Called when a stage was planned. `planned`: number of known cases, which may increase with each stage. */
  onStage?(name: string, planned: number): void;
  onCase?(report: CaseReport): void;
}
