import { expect, it } from "vitest";
import { isSameChain } from "./chain-methods.ts";

it.each([
  [{ chainId: "0x1", genesisHash: "aa" }, { chainId: "0x1", genesisHash: "aa" }, true],
  [{ chainId: "0x1", genesisHash: "aa" }, { chainId: "0x1", genesisHash: "bb" }, false],
  [{ chainId: "0x1", genesisHash: "aa" }, { chainId: "0x2", genesisHash: "aa" }, false],
  // A property that is not known of both is not compared.
  [{ chainId: "0x1" }, { genesisHash: "bb" }, true],
  [{}, { chainId: "0x1", genesisHash: "bb" }, true],
  [{ chainId: "0x1" }, { chainId: "0x2", genesisHash: "bb" }, false],
  [{ genesisHash: "aa" }, { chainId: "0x2", genesisHash: "bb" }, false],
])("the chains %j and %j are the same: %s", (one, other, isSame) => {
  expect([isSameChain(one, other), isSameChain(other, one)]).toEqual([isSame, isSame]);
});
