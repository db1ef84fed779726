/** A section of RESULTS.md and what writes it. */
export interface Benchmark {
  readonly section: string;
  /** Beside this file. */
  readonly script: string;
  readonly parameters: readonly string[];
  /** For a run that shows in a minute that the script still works, and measures nothing. */
  readonly trial: readonly string[];
}

const chain = "serve-chain.ts";
const smallChain = ["--transactions", "2000", "--keys", "200", "--rounds", "1", "--seconds", "1"] as const;

/** In the order of RESULTS.md. */
export const benchmarks: readonly Benchmark[] = [
  { section: "generating", script: "generate.ts", parameters: [], trial: ["1"] },
  { section: "validators", script: "validators.ts", parameters: [], trial: ["1"] },
  {
    section: "generating-for-others",
    script: "generators.ts",
    parameters: [],
    trial: ["--rounds", "1", "--only", "unchanged"],
  },
  {
    section: "real-documents",
    script: "generators.ts",
    parameters: ["--only", "documents"],
    trial: ["--only", "documents", "--rounds", "1", "--document", "specs/bitcoin/openrpc.yaml"],
  },
  { section: "indexing", script: "index-mainnet.ts", parameters: [], trial: [] },
  { section: "serving", script: "serve.ts", parameters: [], trial: ["1"] },
  {
    section: "json-rpc",
    script: "rpc.ts",
    parameters: [],
    trial: ["--rounds", "1", "--seconds", "1", "--parts", "batch"],
  },
  { section: "forwarded-methods", script: "forward.ts", parameters: [], trial: ["--rounds", "1", "--requests", "50"] },
  {
    section: "first-sync",
    script: "index-chain.ts",
    parameters: ["--rounds", "3"],
    trial: ["--transactions", "2000", "--sizes", "1"],
  },
  {
    section: "serving-beside-electrs",
    script: chain,
    parameters: ["--parts", "costs"],
    trial: ["--parts", "costs", ...smallChain],
  },
  {
    section: "two-processes",
    script: chain,
    parameters: ["--parts", "processes"],
    trial: ["--parts", "processes", ...smallChain],
  },
  {
    section: "fixed-rate",
    script: chain,
    parameters: ["--parts", "latency"],
    trial: ["--parts", "latency", ...smallChain],
  },
  {
    section: "growth",
    script: chain,
    parameters: ["--parts", "growth"],
    trial: ["--parts", "growth", "--scales", "1,2", ...smallChain],
  },
  { section: "hostile-nodes", script: "hostile-nodes.ts", parameters: [], trial: ["--length", "1"] },
  { section: "mempool", script: "mempool.ts", parameters: [], trial: ["2000"] },
  {
    section: "graphql",
    script: "graphql.ts",
    parameters: [],
    trial: ["--rounds", "1", "--seconds", "1", "--cases", "head", "--parts", "cost"],
  },
];
