import type { ScantxoutsetInput } from "@nodewright/bitcoin-api/types";
import { type Network, toHex } from "@nodewright/bitcoin-primitives";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { branchCount, type Descriptor, isRanged, keysOf } from "../descriptor/descriptor.ts";
import { expandDescriptor } from "../descriptor/expand-descriptor.ts";
import { readDescriptor } from "../descriptor/read-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";
import { ScriptKnowledge } from "../descriptor/script-knowledge.ts";
import { truncate } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { findRangeProblem } from "./find-scan-problem.ts";
import type { RunningScan } from "../context/output-scans.ts";
import { type PositionRange, ScanCost } from "./scan-bounds.ts";

type ScanObject = NonNullable<ScantxoutsetInput["scanobjects"]>[number];

/** Scripts of a search. */
export interface SoughtScripts {
  /** Scripts, each once, in the order of the descriptors. */
  readonly scripts: readonly Uint8Array[];
  readonly knowledge: ScriptKnowledge;
}

interface SoughtDescriptor {
  readonly descriptor: Descriptor;
  readonly range: PositionRange;
}

/** Percentage of a search that is done when all scripts are derived. */
export const derivedPercent = 50;

const defaultRange: PositionRange = { first: 0, last: 1_000 };

/** Derives the scripts of descriptors. Throws -5 for an invalid descriptor, -8 when there are too many. */
export async function deriveScripts(
  objects: readonly ScanObject[],
  options: { readonly network: Network; readonly scan: RunningScan },
): Promise<SoughtScripts> {
  const { network, scan } = options;
  const sought: SoughtDescriptor[] = [];
  const cost = new ScanCost();
  for (const object of objects) {
    const one = readObject(object, network);
    cost.add(one.descriptor, one.range);
    await assertDerivable(one);
    sought.push(one);
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  const knowledge = new ScriptKnowledge();
  const scripts = new Map<string, Uint8Array>();
  for (const [index, one] of sought.entries()) {
    for await (const script of scriptsOf(one, knowledge)) {
      if (scan.isAborted) return { scripts: [], knowledge };
      scripts.set(toHex(script), script);
    }
    scan.progress = Math.floor((derivedPercent * (index + 1)) / sought.length);
  }
  return { scripts: [...scripts.values()], knowledge };
}

function readObject(object: ScanObject, network: Network): SoughtDescriptor {
  const { desc, range } = typeof object === "string" ? { desc: object, range: undefined } : object;
  const problem = range === undefined || range === null ? undefined : findRangeProblem(range);
  if (problem !== undefined) throw problem;
  const descriptor = readDescriptor(desc, { network });
  return { descriptor, range: isRanged(descriptor) ? positionRange(range ?? undefined) : { first: 0, last: 0 } };
}

/** Throws for a descriptor without a derivable position, before the next object is read: Bitcoin Core's order of errors. */
async function assertDerivable({ descriptor, range: { first } }: SoughtDescriptor): Promise<void> {
  await Array.fromAsync(scriptsOf({ descriptor, range: { first, last: first } }, new ScriptKnowledge()));
}

/** Returns the positions of the children of a ranged descriptor. */
export function positionRange(range: number | readonly number[] | undefined): PositionRange {
  if (range === undefined) return defaultRange;
  const [first = 0, last = 0] = typeof range === "number" ? [0, range] : range;
  return { first, last };
}

async function* scriptsOf(
  { descriptor, range: { first, last } }: SoughtDescriptor,
  knowledge: ScriptKnowledge,
): AsyncGenerator<Uint8Array> {
  const branches = branchCount(descriptor);
  const keys = keysOf(descriptor);
  for (let position = first; position <= last; position += 1) {
    for (let branch = 0; branch < branches; branch += 1) {
      for (const key of keys) {
        for (const _step of key.prepare(position, branch)) if (isTimeSliceUsedUp()) await nextTimeSlice();
      }
      const scripts = expandDescriptor(descriptor, { position, branch }, knowledge);
      if (scripts === undefined) throw underivable(descriptor);
      yield* scripts;
      if (isTimeSliceUsedUp()) await nextTimeSlice();
    }
  }
}

function underivable(descriptor: Descriptor) {
  const text = truncate(renderWithChecksum(descriptor));
  return rpcError("invalidDescriptor", `Cannot derive script without private keys: '${text}'`);
}
