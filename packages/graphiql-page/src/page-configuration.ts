/** What the server says to the page. */
export interface PageConfiguration {
  /** The endpoints that the page offers. Absent: whoever looks at the page names a node, whose endpoint is next to the page. */
  readonly endpoints?: readonly PageEndpoint[];
  /** Where a key is kept on this machine: its place, never the key. */
  readonly keyFile?: string;
}

/** A GraphQL endpoint. */
export interface PageEndpoint {
  readonly nodeId: string;
  readonly url: string;
}
