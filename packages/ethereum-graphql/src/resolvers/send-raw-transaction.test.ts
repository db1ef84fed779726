import { afterEach, describe, expect, it } from "vitest";
import { type RpcReply, type ServedInterface, serve, startMadeUpNode } from "../../test-support/serve.ts";
import { openSigner, signTransaction } from "../../test-support/sign-transaction.ts";
import { bytesOf, keccak256, readRlpItem } from "../raw/rlp.ts";
import { hashOfSigned } from "../raw/signed-transaction.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const signer = openSigner("sender");
const unsigned = { chainId: 1, nonce: 0, gas: 21_000, price: 10n, to: signer.address } as const;
const raw = signTransaction({ ...unsigned, type: 2 }, signer);
const hash = keccak256(bytesOf(raw));

interface Sender extends ServedInterface {
  /** Number of transactions that were submitted to the node. */
  readonly sent: () => number;
}

async function serveReply(reply: () => RpcReply): Promise<Sender> {
  const node = await startMadeUpNode(({ method }) => (method === "eth_sendRawTransaction" ? reply() : undefined));
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return { ...served, sent: () => node.requests.flat().filter((method) => method === "eth_sendRawTransaction").length };
}

const send = async (served: ServedInterface, data: string) =>
  await served.ask("mutation ($data: Bytes!) { sendRawTransaction(data: $data) }", { data });

const refuse = (code: number, message: string) => async () =>
  await serveReply(() => ({ error: { code, message, data: "goroutine 7 [running]" } }));

describe("a transaction that is handed in", () => {
  it("is answered with its hash, and sent once", async () => {
    const served = await serveReply(() => ({ result: hash }));
    expect(await send(served, raw)).toMatchObject({ status: 200, data: { sendRawTransaction: hash } });
    expect(served.sent()).toBe(1);
  });

  it("is an error when the node answers another hash, which tells the right one", async () => {
    const served = await serveReply(() => ({ result: `0x${"1".repeat(64)}` }));
    const response = await send(served, raw);
    expect(response).toMatchObject({ data: null, errors: [{ extensions: { code: "UPSTREAM_UNAVAILABLE", hash } }] });
    expect(response.errors[0]?.message).toContain(hash);
  });

  it("may have arrived when the node does not answer: it is not sent again, and the error tells where to look", async () => {
    const served = await serveReply(() => {
      throw new Error("The connection is to end here");
    });
    const response = await send(served, raw);
    expect(response).toMatchObject({ data: null, errors: [{ extensions: { code: "UPSTREAM_UNAVAILABLE", hash } }] });
    expect(response.errors[0]?.message).toBe(
      `The node did not respond, and the transaction may have reached it: look for it under ${hash} before sending it again`,
    );
    expect(served.sent()).toBe(1);
  });

  it("has not arrived at a node that is down", async () => {
    const node = await startMadeUpNode(() => undefined);
    await node.stop();
    const served = await serve(node.url);
    closers.push(() => served.stop());
    const response = await send(served, raw);
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
    expect(response.errors[0]?.message).not.toContain(hash);
  });

  it("is refused by the node when it is empty", async () => {
    const response = await send(await refuse(-32000, "typed transaction too short")(), "0x");
    expect(response).toMatchObject({
      status: 400,
      data: null,
      errors: [{ message: "typed transaction too short", extensions: { code: "BAD_USER_INPUT" } }],
    });
  });

  it.each([
    [-32000, "already known"],
    [-32000, "nonce too low: next nonce 34, tx nonce 16"],
    [-32003, "Insufficient funds for gas * price + value"],
    [-32010, "FeeTooLow, Fee per gas needs to be higher"],
    [-32603, "replacement transaction underpriced"],
    [-32602, "rlp: value size exceeds available input length"],
  ])("is refused in the node's own words, whatever its code: %d %s", async (code, message) => {
    const response = await send(await refuse(code, message)(), raw);
    expect(response).toMatchObject({
      status: 400,
      data: null,
      errors: [{ message, extensions: { code: "BAD_USER_INPUT" } }],
    });
    expect(JSON.stringify(response)).not.toContain("goroutine");
  });

  it("shows neither stacks nor addresses nor long texts of the node", async () => {
    const served = await refuse(
      -32000,
      `Post http://10.1.2.3:8545/: ${"x".repeat(1_000)}\n    at send (/srv/a.js:1)`,
    )();
    const [error] = (await send(served, raw)).errors;
    expect(error?.message).toMatch(/^Post \(address\) x+…$/);
    expect(error?.message.length).toBeLessThanOrEqual(1_024);
  });

  it.each([
    [-32601, "the method does not exist", "NOT_IMPLEMENTED"],
    [-32603, "Internal error", "UPSTREAM_UNAVAILABLE"],
    [-32000, "method handler crashed", "UPSTREAM_UNAVAILABLE"],
    [-32005, "daily request count exceeded, request rate limited", "UPSTREAM_UNAVAILABLE"],
    [-32002, "request timed out", "UPSTREAM_TIMEOUT"],
  ])("is no mistake of the caller when the node has trouble of its own: %d %s", async (code, message, expected) => {
    const response = await send(await refuse(code, message)(), raw);
    expect(response.errors).toMatchObject([{ extensions: { code: expected } }]);
  });
});

describe("the hash of a signed transaction", () => {
  it.each([0, 1, 2, 4] as const)("of type %d is that of all its bytes", (type) => {
    const bytes = bytesOf(signTransaction({ ...unsigned, type }, signer));
    expect(hashOfSigned(bytes)).toBe(keccak256(bytes));
  });

  it("is that of a transaction with blobs without them", () => {
    const together = bytesOf(signTransaction({ ...unsigned, type: 3, blobs: [1, 2] }, signer));
    const whole = readRlpItem(together, 1);
    const transaction = readRlpItem(together, whole?.start ?? 0);
    const alone = Uint8Array.of(3, ...together.subarray(whole?.start, transaction?.end));
    expect(alone.length).toBeLessThan(500);
    expect(hashOfSigned(together)).toBe(keccak256(alone));
    expect(hashOfSigned(alone)).toBe(keccak256(alone));
  });

  it.each(["0x03", "0x03c0", "0x03c1c0", "0x03f8", "0x03ffffffffffffffffff", "0x03c28180", "0x00", "0xff"])(
    "of garbage is that of its bytes, or of a part: %s",
    (garbage) => {
      expect(hashOfSigned(bytesOf(garbage))).toMatch(/^0x[0-9a-f]{64}$/);
    },
  );
});
