// A chain whose blocks come one after the other into a block file, as they do into that of a running node.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

/** Magic 4, length 4. */
const prefixLength = 8;
const stepMilliseconds = 250;

/** A chain that is being played. */
export interface PlayedChain {
  /** Appends the other blocks, evenly over that time. Fulfilled when all are there. */
  play(seconds: number, signal: AbortSignal): Promise<void>;
}

/** Writes the first blocks of a chain's files into the new file at `path`; a part of 1 is all of them. */
export function beginChain(files: readonly string[], path: string, part: number): PlayedChain {
  const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
  const ends = blockEnds(bytes);
  let written = Math.ceil(ends.length * part);
  writeFileSync(path, bytes.subarray(0, ends[written - 1]));
  return {
    async play(seconds, signal) {
      const perStep = Math.ceil(((ends.length - written) * stepMilliseconds) / (seconds * 1_000));
      while (written < ends.length && !signal.aborted) {
        const next = Math.min(ends.length, written + perStep);
        appendFileSync(path, bytes.subarray(ends[written - 1], ends[next - 1]));
        written = next;
        await new Promise((resolve) => setTimeout(resolve, stepMilliseconds));
      }
    },
  };
}

/** Where each block ends. */
function blockEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let offset = 0; offset + prefixLength < bytes.length; ) {
    offset += prefixLength + bytes.readUInt32LE(offset + 4);
    ends.push(offset);
  }
  return ends;
}
