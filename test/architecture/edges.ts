/**
 * Who may import whom: package → packages of ours that it may name. What is not here is not allowed.
 *
 * The direction is that of ARCHITECTURE.md: source ← model ← readers; model ← output ← emitters; the command line alone sees both;
 * the runtime imports nothing of ours; the service imports everything under packages/ and is imported by nothing.
 */
export const edges: Readonly<Record<string, readonly string[]>> = {
  // The description of types and operations that generators and the conformance runner share, and the one checker of values.
  "@nodewright/api-model": [],
  // Values of those types. Patterns are parsed and matched as generated code does.
  "@nodewright/api-values": ["@nodewright/api-model", "@nodewright/runtime"],
  // What programs print for people.
  "@nodewright/terminal-text": [],
  "@nodewright/source": ["@nodewright/terminal-text"],
  // Patterns are parsed and matched as generated code does: by the runtime's matcher.
  "@nodewright/model": [
    "@nodewright/api-model",
    "@nodewright/runtime",
    "@nodewright/source",
    "@nodewright/terminal-text",
  ],
  "@nodewright/json-schema": [
    "@nodewright/api-model",
    "@nodewright/model",
    "@nodewright/source",
    "@nodewright/terminal-text",
  ],
  "@nodewright/openapi": [
    "@nodewright/api-model",
    "@nodewright/json-schema",
    "@nodewright/model",
    "@nodewright/source",
    "@nodewright/terminal-text",
  ],
  "@nodewright/graphql": ["@nodewright/model", "@nodewright/source", "@nodewright/terminal-text"],
  "@nodewright/openrpc": ["@nodewright/json-schema", "@nodewright/model", "@nodewright/source"],
  "@nodewright/output": ["@nodewright/model", "@nodewright/process-lock"],
  "@nodewright/emit-contract": ["@nodewright/api-model", "@nodewright/model", "@nodewright/output"],
  // The other emitters import the names and facts that they share, not what writes the files of the contract.
  "@nodewright/emit-client": ["@nodewright/emit-contract", "@nodewright/model", "@nodewright/output"],
  "@nodewright/emit-server": [
    "@nodewright/api-model",
    "@nodewright/emit-contract",
    "@nodewright/model",
    "@nodewright/output",
  ],
  // A suite is made as the runner's own type has it: types alone.
  "@nodewright/emit-conformance": [
    "@nodewright/api-model",
    "@nodewright/conformance",
    "@nodewright/emit-contract",
    "@nodewright/model",
    "@nodewright/output",
  ],
  nodewright: [
    "@nodewright/api-model",
    "@nodewright/source",
    // For explaining its diagnostics; schemas are read by the readers alone.
    "@nodewright/json-schema",
    "@nodewright/model",
    "@nodewright/openapi",
    "@nodewright/graphql",
    "@nodewright/openrpc",
    "@nodewright/output",
    "@nodewright/emit-contract",
    "@nodewright/emit-client",
    "@nodewright/emit-server",
    "@nodewright/emit-conformance",
    // Its parser of patterns is part of the generator's digest.
    "@nodewright/runtime",
    // `conform` plays a suite that was made in memory.
    "@nodewright/conformance",
    "@nodewright/terminal-text",
  ],
  "@nodewright/runtime": [],
  "@nodewright/process-lock": [],
  "@nodewright/secret-mask": [],
  "@nodewright/conformance": [
    "@nodewright/api-model",
    "@nodewright/api-values",
    // Relations of a document may call Bitcoin's hashes.
    "@nodewright/bitcoin-primitives",
    "@nodewright/runtime",
    "@nodewright/secret-mask",
    "@nodewright/terminal-text",
  ],
  "@nodewright/index-api": ["@nodewright/runtime", "@nodewright/conformance"],
  "@nodewright/bitcoin-api": ["@nodewright/runtime", "@nodewright/conformance"],
  "@nodewright/ethereum-api": ["@nodewright/runtime", "@nodewright/conformance"],
  "@nodewright/ethereum-node-api": ["@nodewright/runtime", "@nodewright/conformance"],
  "@nodewright/bitcoin-primitives": [],
  "@nodewright/bitcoin-test-chain": ["@nodewright/bitcoin-primitives"],
  "@nodewright/upstream": ["@nodewright/runtime", "@nodewright/secret-mask"],
  "@nodewright/bitcoin-indexer": ["@nodewright/bitcoin-primitives", "@nodewright/process-lock", "@nodewright/upstream"],
  "@nodewright/bitcoin-node": [
    "@nodewright/bitcoin-api",
    "@nodewright/bitcoin-indexer",
    "@nodewright/bitcoin-primitives",
    "@nodewright/runtime",
    "@nodewright/upstream",
  ],
  // Files for a browser, and their reader.
  "@nodewright/graphiql-page": [],
  "@nodewright/index-rest": [
    "@nodewright/index-api",
    "@nodewright/bitcoin-indexer",
    "@nodewright/bitcoin-primitives",
    "@nodewright/runtime",
    "@nodewright/upstream",
  ],
  "@nodewright/ethereum-graphql": [
    "@nodewright/ethereum-api",
    "@nodewright/ethereum-node-api",
    "@nodewright/runtime",
    "@nodewright/upstream",
  ],
  "@nodewright/service": [
    "@nodewright/runtime",
    "@nodewright/process-lock",
    "@nodewright/secret-mask",
    "@nodewright/index-api",
    "@nodewright/bitcoin-api",
    "@nodewright/ethereum-api",
    "@nodewright/bitcoin-indexer",
    "@nodewright/bitcoin-primitives",
    "@nodewright/bitcoin-node",
    "@nodewright/index-rest",
    "@nodewright/ethereum-graphql",
    "@nodewright/graphiql-page",
    "@nodewright/upstream",
  ],
};

/** Third-party packages that only some of ours may import: one wrapper each, so that the choice can change. */
export const wrapped: Readonly<Record<string, readonly string[]>> = {
  "ts-morph": ["@nodewright/output"],
  handlebars: ["@nodewright/output"],
  "@scure/btc-signer": ["@nodewright/bitcoin-test-chain"],
  lmdb: ["@nodewright/bitcoin-indexer", "@nodewright/service"],
  yargs: ["nodewright", "@nodewright/service"],
  // The conformance runner judges transports, so it needs one that follows, repeats and decodes nothing by itself.
  undici: ["@nodewright/upstream", "@nodewright/conformance"],
  // Baselines are written by hand and rewritten with their comments: documents alone are read by our own source layer.
  yaml: ["@nodewright/source", "@nodewright/conformance"],
  typescript: [],
};
