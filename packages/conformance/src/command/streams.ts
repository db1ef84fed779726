/** An output of a command: the parts of a stream that it uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** Width of a terminal that reports it. */
  readonly columns?: number | undefined;
  write(text: string): boolean;
}

/** Streams to which the command writes. */
export interface ConformStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Returns the width for output to people on a stream, in columns. */
export function widthOf({ columns }: OutputStream): number {
  return Math.max(60, Math.min(columns === undefined || columns === 0 ? 100 : columns, 160));
}
