import { defineConfig } from "nodewright";

export default defineConfig({
  documents: [
    {
      source: "specs/index/openapi.yaml",
      package: "packages/index-api",
      handlers: { directory: "packages/index-rest/src/handlers", context: "../request/context.ts#IndexRestContext" },
    },
    {
      source: "specs/bitcoin/openrpc.yaml",
      package: "packages/bitcoin-api",
      handlers: {
        directory: "packages/bitcoin-node/src/handlers",
        context: "../context/context.ts#BitcoinNodeContext",
      },
    },
    {
      source: "specs/ethereum/schema.graphql",
      package: "packages/ethereum-api",
      operationDocuments: "specs/ethereum/operations",
      scalars: {
        Address: { pattern: "^0x[0-9a-f]{40}$" },
        BigInt: { pattern: "^0x(0|[1-9a-f][0-9a-f]*)$" },
        Bytes: { pattern: "^0x([0-9a-f]{2})*$" },
        Bytes32: { pattern: "^0x[0-9a-f]{64}$" },
        Long: { pattern: "^0x(0|[1-9a-f][0-9a-f]{0,15})$" },
      },
      handlers: {
        directory: "packages/ethereum-graphql/src/resolvers",
        context: "../request/context.ts#EthereumContext",
        parents: {
          AccessTuple: "@nodewright/ethereum-node-api/types#AccessTuple",
          Account: "../results/account-value.ts#AccountValue",
          Block: "../values/block-value.ts#BlockValue",
          CallResult: "../values/call.ts#CallOutcome",
          Log: "../results/node-values.ts#NodeLog",
          Pending: "../values/pending-value.ts#PendingValue",
          SyncState: "../values/sync-state-value.ts#SyncStateValue",
          Transaction: "../values/transaction-value.ts#TransactionValue",
          Withdrawal: "@nodewright/ethereum-node-api/types#Withdrawal",
        },
      },
    },
    {
      source: "specs/ethereum-node/openrpc.yaml",
      package: "packages/ethereum-node-api",
      artefacts: ["types", "validators", "client", "server", "conformance"],
    },
  ],
});
