import type { Ask } from "./query-both.ts";
import type { ComparedChain } from "./compared-chain.ts";

/**
 * Holds what geth's GraphQL does not have against what its JSON-RPC says: a total difficulty must be the sum of the difficulties so far, and
 * the protocol's version a number of one that there is. Gives a sentence on each value that is wrong.
 */
export async function checkOwnFields({ name, geth, contents }: ComparedChain, ours: Ask): Promise<readonly string[]> {
  const problems: string[] = [];
  let sum = 0n;
  for (const { number, hash } of contents.blocks) {
    const { difficulty } = (await geth.call("eth_getBlockByHash", hash, false)) as { readonly difficulty: string };
    sum += BigInt(difficulty);
    const { data } = await ours(`{ block(hash: "${hash}") { totalDifficulty } }`);
    const told = (data as { readonly block?: { readonly totalDifficulty?: unknown } | null } | null)?.block
      ?.totalDifficulty;
    if (told !== `0x${sum.toString(16)}`)
      problems.push(
        `${name}: totalDifficulty of block ${number} is ${JSON.stringify(told)}, the sum 0x${sum.toString(16)}`,
      );
  }
  const { data } = await ours("{ protocolVersion }");
  const version = (data as { readonly protocolVersion?: unknown } | null)?.protocolVersion;
  if (typeof version !== "number" || version < 60)
    problems.push(`${name}: protocolVersion is ${JSON.stringify(version)}`);
  return problems;
}
