import type { ServiceError } from "@nodewright/runtime";
import { integerProblem, isNumber, isObject, truncate, typeProblem } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

const actions: readonly unknown[] = ["start", "abort", "status"];
/** Largest index of a child that is not hardened, of 31 bits (BIP 32). */
const highestChild = 2 ** 31 - 1;
/** Bitcoin Core's own limit of the children of one descriptor. */
const maximumRange = 1_000_000;

/** Returns the problem of the form of scantxoutset's parameters. */
export function findScanProblem(sent: (name: string) => unknown): ServiceError | undefined {
  const action = sent("action");
  if (typeof action === "string" && !actions.includes(action)) {
    return rpcError("invalidParameter", `Invalid action '${truncate(action)}'`);
  }
  const scanObjects = sent("scanobjects");
  // The parameters of another action are not read.
  if (action !== "start" || !Array.isArray(scanObjects)) return undefined;
  for (const [position, scanObject] of scanObjects.entries()) {
    const problem = findObjectProblem(scanObject, `Position 2 (scanobjects), at [${position}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findObjectProblem(scanObject: unknown, place: string): ServiceError | undefined {
  if (typeof scanObject === "string") return undefined;
  if (!isObject(scanObject)) {
    return rpcError("invalidParameter", "Scan object needs to be either a string or an object");
  }
  const { desc, range } = scanObject;
  if (desc === undefined || desc === null) {
    return rpcError("invalidParameter", "Descriptor needs to be provided in scan object");
  }
  if (typeof desc !== "string") return typeProblem([{ place: `${place}.desc`, value: desc, expected: "string" }]);
  return range === undefined || range === null ? undefined : findRangeProblem(range);
}

/** Returns the problem of a descriptor's requested children: the last one, or the first and the last. */
export function findRangeProblem(range: unknown): ServiceError | undefined {
  const bounds: readonly unknown[] = Array.isArray(range) ? range : [0, range];
  const [first, last] = bounds;
  if (bounds.length !== 2 || !isNumber(first) || !isNumber(last)) {
    return rpcError("invalidParameter", "Range must be specified as end or as [begin,end]");
  }
  if (![first, last].every((bound) => typeof bound === "bigint" || Number.isInteger(bound))) return integerProblem();
  if (Array.isArray(range) && first > last) {
    return rpcError("invalidParameter", "Range specified as [begin,end] must not have begin after end");
  }
  if (first < 0) return rpcError("invalidParameter", "Range should be greater or equal than 0");
  if (last < 0 || last > highestChild) return rpcError("invalidParameter", "End of range is too high");
  return Number(last) >= Number(first) + maximumRange ? rpcError("invalidParameter", "Range is too large") : undefined;
}
