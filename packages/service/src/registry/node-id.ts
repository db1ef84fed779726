/** The first path segment of a node's endpoint. */
export type NodeId = string;

const nodeIdPattern = /^[a-z0-9][a-z0-9-]{2,62}$/;

/** First path segments that mean something else on one of the two listeners, now or as decided for later. */
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

/** Says what is wrong with `text` as a node id, or `undefined` when it is one. */
export function problemOfNodeId(text: string): string | undefined {
  if (!nodeIdPattern.test(text))
    return "a node id has 3 to 63 lower-case letters, digits and hyphens, and no hyphen first";
  if (reservedSegments.has(text)) return `"${text}" is the name of a page of the service`;
  return undefined;
}
