import { ownMember } from "../json/own-member.ts";
import type { ClientFacts, GivenClientOptions } from "./client-options.ts";

/** Function that returns the facts of a call. */
export type CallResolver = <Call extends { readonly name: string }>(call: Call) => Promise<Call>;

/** Creates the resolver. A client that validates responses uses the operations with validators, which are loaded only for it. */
export function createCallResolver(options: GivenClientOptions, { operations: load }: ClientFacts): CallResolver {
  if (options.validateResponses !== true || load === undefined) return async (call) => call;
  return async <Call extends { readonly name: string }>(call: Call) => {
    const { operations } = await load();
    // An operation extends the call of its name.
    return ownMember(operations as Readonly<Record<string, Call>>, call.name) ?? call;
  };
}
