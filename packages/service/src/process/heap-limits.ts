import { setFlagsFromString } from "node:v8";

/**
 * Options of Node for a serving process, also in the first line of `bin.ts` and in the project's `start` script: V8 reads them before any
 * code runs. By default its space for young objects grows to 128 MB while many short strings are parsed.
 */
export const heapOptions: readonly string[] = ["--max-semi-space-size=16"];

/** Heap growth in percent. By default V8 lets the old objects grow to four times the used memory before it collects them. */
const heapGrowingPercent = 50;

/** Makes this process collect its garbage before that is several times the used memory. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
}
