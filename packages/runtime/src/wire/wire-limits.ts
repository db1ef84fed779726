/** How much of what comes in is read. Whoever receives bounds the size of a whole body before it gets here. */
export interface WireLimits {
  /** Deepest nesting of JSON values, and of brackets in the names of forms and queries. */
  readonly maximumDepth: number;
  /** Most pairs of a form, and most parts of a multipart body. */
  readonly maximumParts: number;
  /** Longest header section of one part, in bytes. */
  readonly maximumPartHeaderBytes: number;
  /** Longest event or JSON text of a stream, in UTF-16 units. */
  readonly maximumItemLength: number;
}

export const defaultWireLimits: WireLimits = {
  maximumDepth: 100,
  maximumParts: 10_000,
  maximumPartHeaderBytes: 16_384,
  maximumItemLength: 64 * 1024 * 1024,
};
