import { describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import type { NodeHeader } from "../results/node-values.ts";
import { bytesOf, keccak256, serializeRlp } from "../raw/rlp.ts";
import { HeaderCheck } from "./header-check.ts";

const { madeUp, ...members } = madeUpBlock({
  number: "0x1",
  difficulty: "0x400",
  mixHash: `0x${"7".repeat(64)}`,
  nonce: "0x539bd4979fef1ec4",
});

function headerWith(hash: string, more: object = {}): NodeHeader {
  return { ...members, ...more, hash } as unknown as NodeHeader;
}

/** The yellow paper, section 4.4.3, for a block without gas used. */
const hash = keccak256(
  serializeRlp([
    bytesOf(String(Reflect.get(members, "parentHash"))),
    bytesOf(String(Reflect.get(members, "sha3Uncles"))),
    bytesOf(String(Reflect.get(members, "miner"))),
    bytesOf(String(Reflect.get(members, "stateRoot"))),
    bytesOf(String(Reflect.get(members, "transactionsRoot"))),
    bytesOf(String(Reflect.get(members, "receiptsRoot"))),
    bytesOf(String(Reflect.get(members, "logsBloom"))),
    bytesOf("0x0400"),
    bytesOf("0x01"),
    bytesOf("0x01c9c380"),
    new Uint8Array(),
    bytesOf("0x65920080"),
    new Uint8Array(),
    bytesOf(members.mixHash),
    bytesOf(members.nonce),
  ]),
);
const wrong = headerWith(`0x${"b".repeat(64)}`);

describe("blocks of a chain", () => {
  it("are refused when they have another hash, from the first one on", () => {
    const check = new HeaderCheck();
    expect(() => check.check(wrong)).toThrow("does not have its hash");
    check.check(headerWith(hash));
    for (let round = 0; round < 5; round++) expect(() => check.check(wrong)).toThrow("does not have its hash");
  });

  it("are taken at their word where a member tells that the chain is of another kind", () => {
    const check = new HeaderCheck();
    check.check(headerWith(wrong.hash, { madeUp }));
    check.check(wrong);
    expect(check.hasKnownForm).toBe(false);
  });

  it("are taken at their word where none has its hash", () => {
    const check = new HeaderCheck();
    for (let round = 0; round < 2; round++) expect(() => check.check(wrong)).toThrow("does not have its hash");
    check.check(wrong);
    expect(check.hasKnownForm).toBe(false);
  });
});
