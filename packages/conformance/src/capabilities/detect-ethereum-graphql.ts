import type { GraphqlSuite } from "../suite/suite.ts";
import { type Asker, known, memberOf, numberOf, secondsSince } from "./asker.ts";
import type { Detected } from "./detect.ts";
import { isBehind } from "./is-behind.ts";

const blockSeconds = 12;

/** Asks an execution client by its GraphQL schema (EIP-1767); of another schema nothing is asked. */
export async function detectEthereumGraphql({ schema }: GraphqlSuite, asker: Asker): Promise<Detected> {
  const isEthereum =
    /\bscalar\s+Bytes32\b/.test(schema) && /\bblock\s*\(/.test(schema) && /\btimestamp\s*:/.test(schema);
  if (!isEthereum) return { facts: {} };
  const fields = [
    "block { number timestamp }",
    ...(/\bchainID\s*:/.test(schema) ? ["chainID"] : []),
    ...(/\bsyncing\s*:\s*SyncState\b/.test(schema) ? ["syncing { currentBlock highestBlock }"] : []),
  ];
  const data = await asker.query(`{ ${fields.join(" ")} }`);
  if (data === undefined || data === null) return { facts: {} };
  const head = memberOf(data, "block");
  const chain = numberOf(memberOf(data, "chainID"));
  const askHeight = async (): Promise<number | undefined> =>
    numberOf(memberOf(memberOf(await asker.query("{ block { number } }"), "block"), "number"));
  return {
    facts: known({
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(memberOf(head, "number")),
      isSynchronised: Object.hasOwn(data, "syncing") ? !isBehind(memberOf(data, "syncing")) : undefined,
      headLagSeconds: secondsSince(numberOf(memberOf(head, "timestamp"))),
    }),
    askHeight,
    blockSeconds,
  };
}
