import type { DevChain } from "./dev-chain.ts";

/** Where nothing is yet. */
const nobody = `0x${"5e".repeat(20)}`;
/** Creates a contract that answers the height. */
const creation = "0x684360005260206000f360005260096017f3";
const failingCreation = "0xfe";

const loggingTransactions = 200;

/** What `playDevHistory` left behind. */
export interface DevHistory {
  /** Transactions that could be executed in the next block. */
  readonly pending: readonly string[];
  /** Transactions whose nonce comes too early. */
  readonly queued: readonly string[];
}

/** Makes a block of 200 transactions that leave two logs each; gives its hash. */
async function makeFullBlock({ send, seal, signers, contracts }: DevChain): Promise<string> {
  const position = (at: number): string => `0x${at.toString(16).padStart(64, "0")}`;
  // An account that runs another's code may have no more than one transaction waiting (EIP-7702).
  const senders = signers.slice(2);
  for (let at = 0; at < loggingTransactions; at += 1) {
    const signer = senders[at % senders.length];
    if (signer === undefined) throw new Error("The chain has no signers");
    await send(signer, { type: 2, tip: 1n, to: contracts.logs, data: position(at), gas: 100_000 });
  }
  return await seal();
}

/** Plays all types of transactions, what creates, reverts, fails and destroys, blocks with nothing and with withdrawals, and leaves some waiting. */
export async function playDevHistory(chain: DevChain): Promise<DevHistory> {
  const { send, seal, signers, contracts } = chain;
  const [ann, ben, carl, dora, eve, finn] = signers;
  if (!ann || !ben || !carl || !dora || !eve || !finn) throw new Error("The chain has too few signers");
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  const accessList = [{ address: contracts.keeps, storageKeys: [`0x${word(1)}`, `0x${word(2)}`] }];

  await send(ann, { type: 0, to: nobody, value: 7n });
  await send(ben, { type: 0, to: nobody, value: 8n, isUnprotected: true });
  await send(carl, { type: 1, to: contracts.keeps, data: `0x${word(1)}${word(77)}`, accessList });
  await send(dora, { type: 2, tip: 3n, to: contracts.keeps, data: `0x${word(2)}${word(78)}`, accessList });
  await send(eve, { type: 3, tip: 3n, to: nobody, blobs: [5] });
  await send(finn, {
    type: 4,
    tip: 3n,
    to: contracts.logs,
    authorizations: [
      { signer: ann, chainId: 1_337, address: contracts.logs, nonce: 1 },
      { signer: ben, chainId: 0, address: contracts.keeps, nonce: 1 },
      { signer: carl, chainId: 1_337, address: contracts.keeps, nonce: 99 },
    ],
  });
  await seal();
  await seal();
  await seal({
    withdrawals: [
      { index: "0x0", validatorIndex: "0x9", address: nobody, amount: "0x3b9aca00" },
      { index: "0x1", validatorIndex: "0xffffffff", address: ann.address, amount: "0x0" },
    ],
  });

  await send(carl, { type: 0, data: creation });
  await send(dora, { type: 2, tip: 1n, data: creation, value: 1n });
  await send(finn, { type: 1, data: failingCreation, accessList });
  await send(carl, { type: 2, tip: 1n, data: "0x60ef60005360016000f3" });
  await send(dora, { type: 2, tip: 1n, to: contracts.reverts });
  await send(finn, { type: 0, to: contracts.fails, gas: 60_000 });
  await send(dora, { type: 2, tip: 1n, to: contracts.destroysItself });
  await send(carl, { type: 1, to: contracts.logs, data: `0x${word(1)}`, gas: 22_500, accessList: [] });
  await seal();

  await send(eve, { type: 3, tip: 9n, to: contracts.logs, blobs: [0, 6, 7], data: `0x${word(9)}`, accessList });
  await send(dora, { type: 2, tip: 1n, to: ann.address, value: 5n });
  await seal();
  await makeFullBlock(chain);
  await seal();

  const pending = [
    await send(carl, { type: 0, to: nobody, value: 1n }),
    await send(dora, { type: 2, tip: 2n, to: contracts.logs }),
    await send(dora, { type: 1, to: contracts.keeps, data: `0x${word(1)}${word(5)}`, accessList }),
    await send(eve, { type: 3, tip: 2n, to: nobody, blobs: [8] }),
    await send(finn, { type: 2, tip: 2n, data: creation }),
  ];
  const queued = [await send(carl, { type: 2, tip: 2n, to: nobody, nonce: 500 })];
  return { pending, queued };
}
