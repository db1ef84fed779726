import { afterAll, beforeAll, expect, it } from "vitest";
import { deriveaddresses } from "./handlers/deriveaddresses.ts";
import { scantxoutset } from "./handlers/scantxoutset.ts";
import { responseValue } from "./testing/response-text.ts";
import { indexChain, type IndexedChain } from "./testing/test-chain.ts";

/** An extended key of test networks. */
const key =
  "tpubDAenfwNu5GyCJWv8oqRAckdKMSUoZjgVF5p8WvQwHQeXjDhAHmGrPa4a4y2Fn7HF2nfCLefJanHV3ny1UY25MRVogizB2zRUdAo7Tr9XAjm";

let chain: IndexedChain;

beforeAll(async () => {
  chain = await indexChain(1);
});

afterAll(async () => {
  await chain.close();
});

/** Returns a client that disconnects after a few checks. */
function leavingCaller(): { readonly isClientDisconnected: () => boolean; readonly asked: () => number } {
  let asked = 0;
  return {
    isClientDisconnected() {
      asked += 1;
      return asked > 2;
    },
    asked: () => asked,
  };
}

it("addresses are derived no further when nobody waits for them", async () => {
  const { isClientDisconnected, asked } = leavingCaller();
  const derived = deriveaddresses(
    { descriptor: `wpkh(${key}/*)#5hdafpj3`, range: [0, 9_999] },
    chain.context({ isClientDisconnected }),
  );
  await expect(derived).rejects.toThrow("The client disconnected");
  expect(asked()).toBe(3);
});

it("a search through unspent outputs is aborted when nobody waits for it", async () => {
  const { isClientDisconnected } = leavingCaller();
  const scanobjects = [{ desc: `wpkh(${key}/*)`, range: [0, 9_999] }];
  const response = await responseValue(
    scantxoutset({ action: "start", scanobjects }, chain.context({ isClientDisconnected })),
  );
  expect(response).toMatchObject({ success: false });
});
