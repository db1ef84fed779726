import type { BitcoinNodeContext } from "../context.ts";
import { callNode } from "./call-node.ts";
import { findAmount, isRecord, unusableAnswer } from "./node-answer.ts";

/** How the result of a method that is passed on is read. */
export interface ForwardedResult {
  /** Whether a value is one that the document allows. Other values are not passed on. */
  readonly isResult: (value: unknown) => boolean;
  /** Names of the members that are amounts, wherever they stand. */
  readonly amounts?: readonly string[];
}

/**
 * Calls a method that the node alone can answer, and returns its result as it is, with amounts in satoshi.
 *
 * Parameters that are `undefined` are left out. Throws what `callNode` throws, and `upstream_unavailable` for a result that the document
 * does not allow.
 */
export async function forwardMethod<Result>(
  context: BitcoinNodeContext,
  method: string,
  params: readonly unknown[],
  { isResult, amounts = [] }: ForwardedResult,
): Promise<Result> {
  const given = params.slice(0, params.findLastIndex((value) => value !== undefined) + 1);
  const result = await callNode(context, { method, params: given.map((value) => value ?? null) });
  if (!isResult(result)) throw unusableAnswer(method);
  return withSatoshi(result, new Set(amounts)) as Result;
}

function withSatoshi(value: unknown, amounts: ReadonlySet<string>): unknown {
  if (amounts.size === 0) return value;
  if (Array.isArray(value)) return value.map((member) => withSatoshi(member, amounts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      amounts.has(name) ? (findAmount(member) ?? member) : withSatoshi(member, amounts),
    ]),
  );
}
