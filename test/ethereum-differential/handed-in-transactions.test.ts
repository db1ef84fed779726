import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openSigner,
  signTransaction,
  type UnsignedTransaction,
} from "../../packages/ethereum-graphql/test-support/sign-transaction.ts";
import { hashOfSigned } from "../../packages/ethereum-graphql/src/raw/signed-transaction.ts";
import { type DevChain, devChainId, startDevChain } from "../support/dev-chain.ts";
import { requireProgram } from "../support/requirement.ts";
import { type Ask, createAsk, type OwnServer, serveOwn } from "./query-both.ts";

const { path } = requireProgram("geth");

const mutation = "mutation ($data: Bytes!) { sendRawTransaction(data: $data) }";

describe.skipIf(path === undefined)("a transaction that is handed in to geth", { timeout: 120_000 }, () => {
  let directory: string;
  let chain: DevChain;
  let own: OwnServer;
  let geths: Ask;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-handed-in-"));
    chain = await startDevChain(path ?? "", directory);
    own = await serveOwn(chain.geth.url);
    geths = createAsk(chain.geth.graphqlUrl);
    const [first, second] = chain.signers;
    const last = chain.signers.at(-1);
    if (first === undefined || second === undefined || last === undefined)
      throw new Error("Expected accounts with means");
    await chain.send(second, { type: 2, tip: 1_000_000n, to: second.address });
    // For its first blob geth prepares for seconds, which no request is to wait for.
    await chain.send(last, { type: 3, tip: 1_000_000n, to: first.address, blobs: [1] });
    await chain.seal();
  }, 60_000);

  afterAll(async () => {
    await own.stop();
    await chain.geth.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const sign = (at: number, transaction: Partial<UnsignedTransaction>): string => {
    const signer = chain.signers[at] ?? openSigner("nobody");
    const plain = {
      type: 2,
      chainId: devChainId,
      nonce: 0,
      gas: 100_000,
      price: 10n ** 10n,
      tip: 10n ** 9n,
      to: signer.address,
    } as const;
    return signTransaction({ ...plain, ...transaction }, signer);
  };

  it.each([0, 1, 2, 3, 4] as const)("of type %d is answered with its hash, pending, then mined", async (type) => {
    const [contract] = Object.values(chain.contracts);
    const signer = chain.signers[2 + type];
    const authorizations = [
      { signer: openSigner("delegates"), chainId: devChainId, address: contract ?? "", nonce: 0 },
    ];
    const data = sign(2 + type, {
      type,
      ...(type === 3 ? { blobs: [7] } : {}),
      ...(type === 4 ? { authorizations } : {}),
    });
    const hash = hashOfSigned(Buffer.from(data.slice(2), "hex"));
    expect(await own.ask(mutation, { data })).toEqual({
      status: 200,
      data: { sendRawTransaction: hash },
      errors: [],
      calls: 1,
    });
    const query = `{ transaction(hash: "${hash}") { type from { address } status raw block { number } } pending { account(address: "${signer?.address}") { transactionCount } } }`;
    const waiting = await own.ask(query);
    const { raw } = (waiting.data as { transaction: { raw: string } }).transaction;
    expect(waiting.data).toMatchObject({
      transaction: { type: `0x${type}`, from: { address: signer?.address }, status: null, block: null },
      pending: { account: { transactionCount: "0x1" } },
    });
    expect(hashOfSigned(Buffer.from(raw.slice(2), "hex"))).toBe(hash);
    expect(raw.length).toBeLessThan(1_000);
    const known = await own.ask(mutation, { data });
    expect(known.errors).toMatchObject([{ message: "already known", extensions: { code: "BAD_USER_INPUT" } }]);
    await chain.seal({ transactions: 1 });
    expect((await own.ask(query)).data).toMatchObject({ transaction: { status: "0x1", raw } });
  });

  const refused: readonly (readonly [string, () => string])[] = [
    ["of garbage", () => "0x1234"],
    ["of a cut-off one", () => sign(0, {}).slice(0, -2)],
    ["of an unknown type", () => `0x7f${"c0"}`],
    ["with blobs but without them", () => "0x03c0"],
    ["without a signature", () => "0xc9808080808080808080"],
    ["of another chain", () => sign(0, { chainId: 5 })],
    ["with a nonce that was used", () => sign(1, { nonce: 0 })],
    ["without the means", () => sign(0, { value: 10n ** 30n })],
    ["of a sender without anything", () => sign(99, {})],
    ["with too little gas", () => sign(0, { gas: 100 })],
    ["with a tip above its price", () => sign(0, { tip: 10n ** 11n })],
  ];

  it.each(refused)("is refused in geth's own words: %s", async (_name, make) => {
    const data = make();
    const answer = await own.ask(mutation, { data });
    const geth = await geths(mutation, { data });
    expect(answer).toMatchObject({ status: 400, data: null, errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
    expect(answer.errors[0]?.message).toBe(geth.errors[0]?.message);
  });

  it("is refused when it would replace another one for too little", async () => {
    const first = await own.ask(mutation, { data: sign(0, { value: 1n }) });
    expect(first.errors).toEqual([]);
    const second = await own.ask(mutation, { data: sign(0, { value: 2n }) });
    expect(second.errors).toMatchObject([{ message: expect.stringContaining("replacement transaction underpriced") }]);
  });
});
