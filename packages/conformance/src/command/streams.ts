/** Where a command prints: what of a stream it has to know. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** Of a terminal that knows its width. */
  readonly columns?: number | undefined;
  write(text: string): boolean;
}

export interface ConformStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Columns that a text for people may take on a stream. */
export function widthOf({ columns }: OutputStream): number {
  return Math.max(60, Math.min(columns === undefined || columns === 0 ? 100 : columns, 160));
}
