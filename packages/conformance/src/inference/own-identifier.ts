import { plainName } from "../compare/volatile-names.ts";

/** Identifiers that things of one kind alone have. */
const namedThings: readonly (readonly [identifier: RegExp, things: RegExp])[] = [
  [/^(?:txid|hash|transactionid)$/, /^(?:txs?|transactions?|txids|mempool|unconfirmed|recent)$/],
  [/^(?:hash|blockhash)$/, /^(?:blocks?|headers?)$/],
];

/** Whether a member is the own name of things that are called so: `txid` of an output list names what it is an output of. */
export function isOwnIdentifier(things: string, identifier: string): boolean {
  const [plain, listed] = [plainName(identifier), plainName(things)];
  if (plain === "id" || plain === "uuid" || plain === "guid") return true;
  return (
    namedThings.some(([name, of]) => name.test(plain) && of.test(listed)) || plain === `${listed.replace(/s$/, "")}id`
  );
}
