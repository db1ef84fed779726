let milliseconds = 0;

/** Runs a part of the printing and measures its time. */
export function measurePrinting<Result>(part: () => Result): Result {
  const started = performance.now();
  const result = part();
  milliseconds += performance.now() - started;
  return result;
}

/** Returns the milliseconds that this thread spent on printing since the last call. */
export function takePrintTime(): number {
  const spent = milliseconds;
  milliseconds = 0;
  return spent;
}
