/** A query that is asked of both servers. */
export interface QueryCase {
  /** What the query is about; listed differences name it. */
  readonly kind: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}
