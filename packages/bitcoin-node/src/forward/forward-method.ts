import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "./call-node.ts";
import { findAmount, findProse, isRecord, unreadableResult } from "./node-response.ts";

/** Reading of the result of a forwarded method. */
export interface ForwardedResult {
  /** Returns whether a value is valid against the document. Invalid values are not forwarded. */
  readonly isResult: (value: unknown) => boolean;
  /** Names of the members that are amounts, at any depth. */
  readonly amounts?: readonly string[];
  /** Names of the members that contain prose of the node, at any depth. */
  readonly prose?: readonly string[];
}

type Conversions = ReadonlyMap<string, (member: unknown) => unknown>;

/**
 * Calls a method that only the node supports, and returns its result, with amounts in satoshi and prose as clients may see it.
 *
 * Parameters that are `undefined` are omitted. Throws what `callNode` throws, and `upstream_unavailable` for a result that is not valid
 * against the document.
 */
export async function forwardMethod<Result>(
  context: BitcoinNodeContext,
  method: string,
  params: readonly unknown[],
  { isResult, amounts = [], prose = [] }: ForwardedResult,
): Promise<Result> {
  const given = params.slice(0, params.findLastIndex((value) => value !== undefined) + 1);
  const result = await callNode(context, { method, params: given.map((value) => value ?? null) });
  if (!isResult(result)) throw unreadableResult(method);
  const conversions: Conversions = new Map([
    ...amounts.map((name) => [name, toSatoshi] as const),
    ...prose.map((name) => [name, toPublicText] as const),
  ]);
  return convertMembers(result, conversions) as Result;
}

function toSatoshi(member: unknown): unknown {
  return findAmount(member) ?? member;
}

function toPublicText(member: unknown): unknown {
  return findProse(member) ?? member;
}

function convertMembers(value: unknown, conversions: Conversions): unknown {
  if (conversions.size === 0) return value;
  if (Array.isArray(value)) return value.map((member) => convertMembers(member, conversions));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const convert = conversions.get(name);
      return [name, convert === undefined ? convertMembers(member, conversions) : convert(member)];
    }),
  );
}
