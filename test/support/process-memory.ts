// The memory of a running process, as Linux tells it.
import { readFileSync, writeFileSync } from "node:fs";

export interface ProcessMemory {
  /** Resident now, in bytes. */
  readonly resident: number;
  /** The most since the process began, or since `resetPeakMemory`, in bytes. */
  readonly peak: number;
}

export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024;
  return { resident: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** Sets the peak of a process's memory back to what it has now. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
