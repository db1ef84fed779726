import type { AnnouncedNode } from "./ready-file.ts";

/** A node as the report describes it. */
export interface ReportedNode extends Omit<AnnouncedNode, "key"> {
  /** Summary, for example `mainnet, blocks 0 to 14131`. */
  readonly summary: string;
  /** Reason why it serves nothing, or not everything. */
  readonly problem?: string | undefined;
  /** Path below the index REST interface with an interesting response. */
  readonly restExample: string;
}

/** Key as it is shown to a person: files and pipes are stored, and read by others. */
export type ShownKey =
  /** On a terminal, which a person alone reads. */
  | { readonly kind: "shown"; readonly key: string; readonly file: string }
  /** Elsewhere: the absolute path of the file that contains it. */
  | { readonly kind: "kept"; readonly file: string }
  /** By `--api-key`: its sender knows it. */
  | { readonly kind: "given" };

/** Selects how the key is shown. `file` contains it, `undefined` for one that was given. */
export function chooseShownKey(key: string, file: string | undefined, isTerminal: boolean): ShownKey {
  if (file === undefined) return { kind: "given" };
  return isTerminal ? { kind: "shown", key, file } : { kind: "kept", file };
}

export interface ReadyReport {
  readonly nodes: readonly ReportedNode[];
  readonly key: ShownKey;
  readonly seconds: number;
  /** Origin of the operator's listener, if there is one. */
  readonly operatorOrigin?: string | undefined;
}

const rpcExample = '{"jsonrpc":"2.0","id":"1","method":"getblockcount","params":[]}';
const graphqlExample = '{"query":"{ block { number hash transactions { hash from { address } logs { topics } } } }"}';
const interfaceLabels = { rest: "index REST", rpc: "JSON-RPC", graphql: "GraphQL" } as const;

/** Renders what a person needs to call the nodes: endpoints, the key or its file, a line to paste for each interface. */
export function renderReadyReport(report: ReadyReport): string {
  const { nodes, key, operatorOrigin } = report;
  return [
    `Ready after ${report.seconds.toFixed(1)} s.`,
    ...nodes.flatMap((node) => ["", ...describeNode(node)]),
    "",
    describeKey(key),
    ...(operatorOrigin === undefined
      ? []
      : [`Operator: ${operatorOrigin}/docs (GraphiQL), /health, /readyz, /metrics`]),
    "",
    key.kind === "given" ? "Try, with the key in the variable KEY:" : "Try:",
    ...nodes.flatMap((node) => curlLines(node, key)),
    "",
    "Ctrl-C stops.",
    "",
  ].join("\n");
}

/** Returns one ready-to-paste line for each interface that the node serves. */
function curlLines({ endpoint: { interfaces }, restExample }: ReportedNode, key: ShownKey): string[] {
  const query = key.kind === "shown" ? `?apikey=${encodeURIComponent(key.key).replaceAll("'", "%27")}` : "";
  const curl = `  curl -s${headerOf(key)}`;
  const post = (url: string, body: string) =>
    `${curl} -H 'Content-Type: application/json' -d '${body}' '${url}${query}'`;
  const lines: string[] = [];
  if (interfaces.rest !== undefined) lines.push(`${curl} '${interfaces.rest}/${restExample}${query}'`);
  if (interfaces.rpc !== undefined) lines.push(post(interfaces.rpc, rpcExample));
  if (interfaces.graphql !== undefined) lines.push(post(interfaces.graphql, graphqlExample));
  return lines;
}

function describeKey(key: ShownKey): string {
  switch (key.kind) {
    case "shown":
      return `API key: ${key.key}   (kept in ${key.file})`;
    case "kept":
      return `API key: kept in ${key.file}`;
    case "given":
      return "API key: the one that was given";
  }
}

/** Returns shell text that expands to the header with the key. */
function headerOf(key: ShownKey): string {
  switch (key.kind) {
    case "shown":
      return "";
    case "kept":
      return ` -H "X-API-Key: $(cat '${key.file.replaceAll("'", String.raw`'\''`)}')"`;
    case "given":
      return ' -H "X-API-Key: $KEY"';
  }
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
