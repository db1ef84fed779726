import type { HttpOperation } from "../operation.ts";

/** The operations of one path, whatever they call its parameters. */
export interface PathPattern {
  /** As Fastify takes it: `/block/:p0/txs/:p1`. */
  readonly url: string;
  readonly operations: readonly {
    readonly operation: HttpOperation;
    /** Names in the document, by position in the path. */
    readonly parameterNames: readonly string[];
  }[];
}

const hole = /\{([^}]*)\}/g;

/** Groups operations by the shape of their path: `/tx/{txid}` and `/tx/{id}` are one. */
export function groupByPath(operations: readonly HttpOperation[]): readonly PathPattern[] {
  const patterns = new Map<string, PathPattern["operations"][number][]>();
  for (const operation of operations) {
    const url = routerPath(operation.path);
    const members = patterns.get(url) ?? [];
    members.push({ operation, parameterNames: [...operation.path.matchAll(hole)].map((match) => match[1] ?? "") });
    patterns.set(url, members);
  }
  return [...patterns].map(([url, members]) => ({ url, operations: members }));
}

/** Positional names, because a document's may hold what the router takes for syntax. */
function routerPath(path: string): string {
  let position = 0;
  return path
    .replaceAll(":", "::")
    .replaceAll("*", "%2A")
    .replaceAll(hole, () => `:p${position++}`);
}
