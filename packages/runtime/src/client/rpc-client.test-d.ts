import { expectTypeOf } from "vitest";
import type { RpcOperation } from "../operations/operation.ts";
import type { BatchCall, BatchMember, BatchOutcome } from "./rpc-client.ts";

interface Operations {
  readonly getblockcount: RpcOperation<{ readonly verbose?: boolean }, number>;
  readonly getblockhash: RpcOperation<{ readonly height: number }, string>;
  readonly uptime: RpcOperation<{ readonly [name: string]: unknown }, number>;
}

export async function checkBatch(batch: BatchCall<Operations>): Promise<void> {
  const outcomes = await batch([
    ["getblockhash", { height: 1 }],
    ["getblockcount"],
    ["getblockcount", { verbose: true }],
  ]);
  expectTypeOf(outcomes).toEqualTypeOf<readonly [BatchOutcome<string>, BatchOutcome<number>, BatchOutcome<number>]>();
}

type Member = BatchMember<Operations>;

expectTypeOf<readonly ["getblockcount"]>().toExtend<Member>();
// A method without parameters needs no input either.
expectTypeOf<readonly ["uptime"]>().toExtend<Member>();
expectTypeOf<readonly ["getblockhash", { readonly height: 1 }]>().toExtend<Member>();
// The height is required, and it is a number; there is no such method.
expectTypeOf<readonly ["getblockhash"]>().not.toExtend<Member>();
expectTypeOf<readonly ["getblockhash", { readonly height: "1" }]>().not.toExtend<Member>();
expectTypeOf<readonly ["getblock"]>().not.toExtend<Member>();
