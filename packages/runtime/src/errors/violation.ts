/** One way in which a value does not match its schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  /** The JSON Schema keyword that is violated. */
  readonly keyword: string;
  /** Message for a person, without the value itself: it may contain a secret. */
  readonly message: string;
}
