/** Limits of reading. The receiver limits the size of a complete body before. */
export interface WireLimits {
  /** Maximum nesting of JSON values, and of brackets in the names of forms and queries. */
  readonly maximumDepth: number;
  /** Maximum pairs of a form, and maximum parts of a multipart body. */
  readonly maximumParts: number;
  /** Maximum header section of one part, in bytes. */
  readonly maximumPartHeaderBytes: number;
  /** Maximum event or JSON text of a stream, in UTF-16 units. */
  readonly maximumItemLength: number;
}

export const defaultWireLimits: WireLimits = {
  maximumDepth: 100,
  maximumParts: 10_000,
  maximumPartHeaderBytes: 16_384,
  maximumItemLength: 64 * 1024 * 1024,
};
