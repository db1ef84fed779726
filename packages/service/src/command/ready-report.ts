import type { AnnouncedNode } from "./ready-file.ts";

/** A node as the report describes it. */
export interface ReportedNode extends AnnouncedNode {
  /** For example `mainnet, blocks 0 to 14131`. */
  readonly summary: string;
  /** Why it serves nothing, or not everything. */
  readonly problem?: string | undefined;
  /** Path below the index REST interface that answers something worth seeing. */
  readonly restExample: string;
}

export interface ReadyReport {
  readonly nodes: readonly ReportedNode[];
  readonly key: string;
  /** Where the key is kept, if it is. */
  readonly keyFile?: string | undefined;
  readonly seconds: number;
  /** Where the operator's listener is, if there is one. */
  readonly operatorOrigin?: string | undefined;
}

const rpcExample = '{"jsonrpc":"2.0","id":"1","method":"getblockcount","params":[]}';
const graphqlExample = '{"query":"{ block { number hash transactions { hash from { address } logs { topics } } } }"}';
const interfaceLabels = { rest: "index REST", rpc: "JSON-RPC", graphql: "GraphQL" } as const;

/** What a person needs to call the nodes: endpoints, a working key, a line to paste for each interface. */
export function renderReadyReport(report: ReadyReport): string {
  const { nodes, key, keyFile, operatorOrigin } = report;
  return [
    `Ready after ${report.seconds.toFixed(1)} s.`,
    ...nodes.flatMap((node) => ["", ...describeNode(node)]),
    "",
    `API key: ${key}${keyFile === undefined ? "" : `   (kept in ${keyFile})`}`,
    ...(operatorOrigin === undefined
      ? []
      : [`Operator: ${operatorOrigin}/docs (GraphiQL), /health, /readyz, /metrics`]),
    "",
    "Try:",
    ...nodes.flatMap((node) => curlLines(node)),
    "",
    "Ctrl-C stops.",
    "",
  ].join("\n");
}

/** One ready-to-paste line for each interface that the node serves. */
function curlLines({ endpoint: { interfaces }, key, restExample }: ReportedNode): string[] {
  const query = `?apikey=${encodeURIComponent(key).replaceAll("'", "%27")}`;
  const post = (url: string, body: string) =>
    `  curl -s -H 'Content-Type: application/json' -d '${body}' '${url}${query}'`;
  const lines: string[] = [];
  if (interfaces.rest !== undefined) lines.push(`  curl -s '${interfaces.rest}/${restExample}${query}'`);
  if (interfaces.rpc !== undefined) lines.push(post(interfaces.rpc, rpcExample));
  if (interfaces.graphql !== undefined) lines.push(post(interfaces.graphql, graphqlExample));
  return lines;
}

function describeNode(node: ReportedNode): string[] {
  const lines = [`${node.id} (${node.summary})`];
  for (const name of ["rest", "rpc", "graphql"] as const) {
    const url = node.endpoint.interfaces[name];
    if (url !== undefined) lines.push(`  ${interfaceLabels[name].padEnd(10)}  ${url}`);
  }
  if (node.problem !== undefined) lines.push(`  ${node.problem}`);
  return lines;
}
