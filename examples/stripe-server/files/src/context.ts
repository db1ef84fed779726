/** What every handler is called with. */
export interface Context {
  /** Cents that are available, by currency. */
  readonly available: ReadonlyMap<string, number>;
}
