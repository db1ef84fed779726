import { ownMember } from "../own-member.ts";
import type { ClientFacts, GivenClientOptions } from "./client-options.ts";

/** Finds the facts that a call goes by. */
export type CallResolver = <Call extends { readonly name: string }>(call: Call) => Promise<Call>;

/** A client that holds answers against their types goes by the operations with validators, which are loaded for it alone. */
export function createCallResolver(options: GivenClientOptions, { operations: load }: ClientFacts): CallResolver {
  if (options.validateResponses !== true || load === undefined) return async (call) => call;
  return async <Call extends { readonly name: string }>(call: Call) => {
    const { operations } = await load();
    // An operation is the call of its name, and more.
    return ownMember(operations as Readonly<Record<string, Call>>, call.name) ?? call;
  };
}
