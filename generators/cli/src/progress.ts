import type { WriteStream } from "node:tty";

/** One line that says what a long run is at, on a terminal only. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away; printing goes on where it stood. */
  clear(): void;
}

/** Runs that are shorter than this show nothing. */
const quietMilliseconds = 500;

/** `isLong` says that the run is known to be long, so that its first step is shown at once. */
export function createProgress(stream: WriteStream, isWanted: boolean): Progress {
  if (!isWanted || !stream.isTTY) return { show: () => undefined, clear: () => undefined };
  const started = performance.now();
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (text: string): void => {
    stream.write(`\r\u001B[2K${text.slice(0, Math.max(10, stream.columns - 1))}`);
    isShown = true;
  };
  return {
    show(text) {
      clearTimeout(timer);
      const rest = quietMilliseconds - (performance.now() - started);
      if (rest <= 0) write(text);
      else timer = setTimeout(write, rest, text).unref();
    },
    clear() {
      clearTimeout(timer);
      if (isShown) stream.write("\r\u001B[2K");
      isShown = false;
    },
  };
}
