import type { CaseReport } from "./report.ts";

/** Hears of a run while it goes on: for progress and for reports that are written line by line. */
export interface RunObserver {
  /** `planned`: cases known so far, which may become more with each stage. */
  onStage?(name: string, planned: number): void;
  onCase?(report: CaseReport): void;
}
