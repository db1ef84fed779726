import type { WriteStream } from "node:tty";

/** One line that says what a long run is at, on a terminal only. */
export interface Progress {
  /** Says that what comes next takes long: then it is shown at once, since nothing else runs while it does. */
  expectLong(): void;
  show(text: string): void;
  /** Takes the line away; printing goes on where it stood. */
  clear(): void;
}

/** Runs that are shorter than this show nothing, unless they are known to be long. */
const quietMilliseconds = 500;

const eraseLine = "\r\u001B[2K";

/** Shows nothing where `isWanted` is false or the stream is no terminal. */
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
      // A terminal that does not know its width says 0.
      stream.write(eraseLine + text.slice(0, (stream.columns || 80) - 1));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}
