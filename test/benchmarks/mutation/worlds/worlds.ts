import { graphqlExplorer } from "./graphql-explorer.ts";
import { graphqlLibrary } from "./graphql-library.ts";
import { restExplorer } from "./rest-explorer.ts";
import { restShop } from "./rest-shop.ts";
import { rpcChain } from "./rpc-chain.ts";
import { rpcStock } from "./rpc-stock.ts";
import type { World } from "./world.ts";

/** Two of each kind: one that grows with examples in its document, and one that stays as it is with hardly any. */
export const worlds: readonly World[] = [restExplorer, restShop, rpcChain, rpcStock, graphqlExplorer, graphqlLibrary];
