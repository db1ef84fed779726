import { openSigner } from "../../packages/ethereum-graphql/test-support/sign-transaction.ts";
import type { DevChain } from "../support/dev-chain.ts";
import type { Ask } from "./query-both.ts";
import type { Difference, GraphqlResponse } from "./compare-responses.ts";

const mutation = "mutation send($data: Bytes!) { sendRawTransaction(data: $data) }";
const nobody = `0x${"5e".repeat(20)}`;

/** What came of sending transactions. */
export interface CheckedSending {
  /** How many transactions were sent. */
  readonly compared: number;
  /** What was refused in other words, or not by both; with what is wrong about the transaction. */
  readonly refusals: readonly (Difference & { readonly refused: string })[];
  /** Sentences on what was not taken. */
  readonly problems: readonly string[];
}

/** The field that transactions are sent by. */
export const sendingField = "Mutation.sendRawTransaction";

/**
 * Sends transactions of all types through this interface, whose hashes geth must then know, and others that both must refuse, in the same
 * words: those that geth says by its GraphQL.
 */
export async function checkSending(chain: DevChain, geth: Ask, ours: Ask): Promise<CheckedSending> {
  const sent = await signGood(chain);
  const problems: string[] = [];
  for (const data of sent) {
    const answer = await ours(mutation, { data });
    const hash = hashIn(answer);
    const known = await geth("query known($hash: Bytes32!) { transaction(hash: $hash) { hash } }", { hash });
    const isKnown = (known.data as { readonly transaction?: unknown } | null)?.transaction !== null;
    if (answer.status !== 200 || known.status !== 200 || !isKnown)
      problems.push(
        `Sending ${data.slice(0, 80)} was answered ${JSON.stringify(answer)}; geth: ${JSON.stringify(known)}`,
      );
  }
  const refused = await signRefused(chain, sent);
  const refusals: (Difference & { readonly refused: string })[] = [];
  for (const [name, data] of refused) {
    const [theirs, own] = [textOf(await geth(mutation, { data })), textOf(await ours(mutation, { data }))];
    if (theirs !== own) refusals.push({ coordinate: sendingField, path: "", geth: theirs, ours: own, refused: name });
  }
  return { compared: sent.length + refused.length, refusals, problems };
}

async function signGood({ geth, sign, signers, contracts }: DevChain): Promise<readonly string[]> {
  const [signer, other] = signers.slice(-2);
  if (signer === undefined || other === undefined) throw new Error("The chain has too few signers");
  const first = Number(await geth.call("eth_getTransactionCount", signer.address, "pending"));
  const to = contracts.logs;
  return [
    await sign(signer, { type: 0, to, nonce: first }),
    await sign(signer, { type: 0, to, nonce: first + 1, isUnprotected: true }),
    await sign(signer, { type: 1, to, nonce: first + 2, accessList: [{ address: to, storageKeys: [] }] }),
    await sign(signer, { type: 2, to, nonce: first + 3, tip: 2n }),
    await sign(signer, {
      type: 4,
      to,
      nonce: first + 4,
      tip: 2n,
      authorizations: [{ signer: openSigner("a signer without means"), chainId: 0, address: to, nonce: 0 }],
    }),
    await sign(other, { type: 3, to, tip: 2n, blobs: [9] }),
  ];
}

async function signRefused(
  { geth, sign, signers, contracts }: DevChain,
  sent: readonly string[],
): Promise<readonly (readonly [name: string, data: string])[]> {
  const [ann] = signers;
  const [known = ""] = sent;
  if (ann === undefined) throw new Error("The chain has no signers");
  const { transactions } = (await geth.call("eth_getBlockByNumber", "0x1", false)) as {
    transactions: readonly string[];
  };
  const mined = String(await geth.call("debug_getRawTransaction", transactions[0]));
  const to = contracts.logs;
  return [
    ["empty", "0x"],
    ["one byte", "0x00"],
    ["of an unknown type", "0x7f00"],
    ["garbage", `0x${"ab".repeat(50)}`],
    ["cut off", known.slice(0, -20)],
    ["longer than it says", `${known}00`],
    ["unsigned", "0xdf8080825208945e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e80808080"],
    ["known", known],
    ["mined long ago", mined],
    ["for another chain", await sign(ann, { type: 2, to, tip: 1n, chainId: 99 })],
    ["of too little gas", await sign(ann, { type: 2, to, tip: 1n, gas: 20_000 })],
    ["of more gas than a block", await sign(ann, { type: 2, to, tip: 1n, gas: 90_000_000 })],
    ["of more value than there is", await sign(ann, { type: 2, to, tip: 1n, value: 10n ** 24n })],
    ["of somebody without means", await sign(openSigner("a signer without means"), { type: 2, to: nobody, tip: 1n })],
    ["of a tip above its price", await sign(ann, { type: 2, to, tip: 10n ** 18n })],
    ["without authorizations", await sign(ann, { type: 4, to, tip: 1n, authorizations: [] })],
    ["without blobs", await sign(ann, { type: 3, to, tip: 1n, blobs: [] })],
  ];
}

function hashIn({ data }: GraphqlResponse): unknown {
  return (data as { readonly sendRawTransaction?: unknown } | null | undefined)?.sendRawTransaction;
}

function textOf({ status, errors }: GraphqlResponse): string {
  return `${status} ${errors.map(({ message }) => message).join("; ")}`;
}
