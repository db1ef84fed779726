/** First path segment of a node's endpoint. */
export type NodeId = string;

const nodeIdPattern = /^[a-z0-9][a-z0-9-]{2,62}$/;

/** First path segments with another meaning on one of the two listeners, now or reserved for later. */
const reservedSegments: ReadonlySet<string> = new Set([
  "api",
  "assets",
  "docs",
  "health",
  "healthz",
  "metrics",
  "readyz",
  "static",
]);

/** Returns the problem of `text` as a node id, or `undefined` when it is valid. */
export function problemOfNodeId(text: string): string | undefined {
  if (!nodeIdPattern.test(text))
    return "a node id has 3 to 63 lower-case letters, digits and hyphens, and no hyphen first";
  if (reservedSegments.has(text)) return `"${text}" is the name of a page of the service`;
  return undefined;
}
