import type { WriteStream } from "node:tty";

/** One status line for a long run, on a terminal only. */
export interface Progress {
  /** Announces that the next step takes long: the line is then shown at once, because nothing else runs meanwhile. */
  expectLong(): void;
  show(text: string): void;
  /** Removes the line; printing continues where it was. */
  clear(): void;
}

/** Time in milliseconds before anything is shown, unless the run is known to be long. */
const quietMilliseconds = 500;

const eraseLine = "\r\u001B[2K";

/** Creates a progress line; it shows nothing when `isWanted` is false or the stream is not a terminal. */
export function createProgress(stream: WriteStream, isWanted: boolean): Progress {
  if (!isWanted || !stream.isTTY) return { expectLong: () => undefined, show: () => undefined, clear: () => undefined };
  const started = performance.now();
  let quiet = quietMilliseconds;
  let isShown = false;
  return {
    expectLong() {
      quiet = 0;
    },
    show(text) {
      if (performance.now() - started < quiet) return;
      // A terminal that does not know its width reports 0.
      stream.write(eraseLine + text.slice(0, (stream.columns || 80) - 1));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}
