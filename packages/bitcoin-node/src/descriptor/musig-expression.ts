import { aggregateKeys, ExtendedKey, hardenedIndex, hash160, type Network } from "@nodewright/bitcoin-primitives";
import { Cursor } from "./cursor.ts";
import { DescriptorError } from "./descriptor-error.ts";
import {
  type DerivedKey,
  extendedKeyExpression,
  type KeyExpression,
  type KeyPlace,
  parseKeyExpression,
} from "./key-expression.ts";
import { branchesText, type KeyPath, parsePath } from "./key-path.ts";

const prefix = "musig(";
/** Maximum number of participants: aggregating keys takes as long as deriving as many, and larger groups do not occur. */
const maximumParticipants = 100;

/** Chain code of every aggregate key (BIP 328). */
const chainCode: Uint8Array = Buffer.from("868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965", "hex");

/** Path after the closing bracket. */
interface AggregatePath {
  /** Elements, split at the slashes. */
  readonly elements: readonly string[];
  readonly path: KeyPath;
  readonly isRanged: boolean;
}

/**
 * Parses BIP 390's `musig(…)`: one key of several, whose owners sign together (BIP 327), or the keys that a path leads to from it. Throws
 * `DescriptorError`. Messages are worded as Bitcoin Core's, which clients compare.
 */
export function parseMusig(text: string, place: KeyPlace): KeyExpression {
  if (place.context !== "tr") throw new DescriptorError("musig() is only allowed in tr() and rawtr()");
  const [list = "", rest, ...more] = text.split(")");
  if (more.length > 0) throw new DescriptorError("Too many ')' in musig() expression");
  if (rest === undefined || (rest !== "" && !rest.startsWith("/"))) {
    throw new DescriptorError("Invalid musig() expression");
  }
  const participants = parseParticipants(list.slice(prefix.length), place.network);
  const path = rest === "" ? undefined : parseAggregatePath(rest, participants);
  const branchCount = Math.max(...participants.map((participant) => participant.branchCount));
  if (branchCount > 1 && (path?.path.branches.length ?? 1) > 1) {
    throw new DescriptorError("musig(): Cannot have multipath participant keys if musig() is also multipath");
  }
  if (participants.some((participant) => ![1, branchCount].includes(participant.branchCount))) {
    throw new DescriptorError("musig(): Multipath derivation paths have mismatched lengths");
  }
  return new MusigExpression(participants, path, place.network);
}

function parseParticipants(text: string, network: Network): readonly KeyExpression[] {
  const cursor = new Cursor(text);
  const participants: KeyExpression[] = [];
  while (!cursor.isAtEnd) {
    if (participants.length > 0 && !cursor.take(",")) {
      throw new DescriptorError(`musig(): expected ',', got '${cursor.rest.slice(0, 1)}'`);
    }
    if (participants.length === maximumParticipants) {
      throw new DescriptorError(`musig(): Cannot have more than ${maximumParticipants} keys`);
    }
    participants.push(parseParticipant(cursor.takeExpression(), network));
  }
  if (participants.length === 0) throw new DescriptorError("musig(): Must contain key expressions");
  return participants;
}

/** Parses a participant. Its key has 33 bytes, as in witness scripts. */
function parseParticipant(text: string, network: Network): KeyExpression {
  try {
    return parseKeyExpression(text, { network, context: "wsh", allowsUncompressed: false });
  } catch (error) {
    if (error instanceof DescriptorError) throw new DescriptorError(`musig(): ${error.message}`);
    throw error;
  }
}

function parseAggregatePath(rest: string, participants: readonly KeyExpression[]): AggregatePath {
  if (!participants.every(({ isExtended }) => isExtended)) {
    throw new DescriptorError("musig(): derivation requires all participants to be xpubs or xprvs");
  }
  if (participants.some(({ isRanged }) => isRanged)) {
    throw new DescriptorError("musig(): Cannot have ranged participant keys if musig() also has derivation");
  }
  const elements = rest.split("/").slice(1);
  const last = elements.at(-1);
  if (last === "*'" || last === "*h") throw new DescriptorError("musig(): Cannot have hardened child derivation");
  const isRanged = last === "*";
  const path = parsePathOf(isRanged ? elements.slice(0, -1) : elements);
  if (path.branches.flat().some((number) => number >= hardenedIndex)) {
    throw new DescriptorError("musig(): cannot have hardened derivation steps");
  }
  return { elements, path, isRanged };
}

function parsePathOf(elements: readonly string[]): KeyPath {
  try {
    return parsePath(elements, { allowsBranches: true });
  } catch (error) {
    if (error instanceof DescriptorError) throw new DescriptorError(`musig(): ${error.message}`);
    throw error;
  }
}

class MusigExpression implements KeyExpression {
  readonly keyLength = 33;
  readonly isExtended = false;
  readonly isRanged: boolean;
  readonly isPrivate: boolean;
  readonly branchCount: number;
  readonly keyCount: number;
  readonly pathLength: number;
  readonly #participants: readonly KeyExpression[];
  readonly #path: AggregatePath | undefined;
  readonly #network: Network;
  /** Roots of the path, by the branch of the participants, which are the same at every position. */
  readonly #roots = new Map<number, KeyExpression>();

  constructor(participants: readonly KeyExpression[], path: AggregatePath | undefined, network: Network) {
    this.#participants = participants;
    this.#path = path;
    this.#network = network;
    this.isRanged = path?.isRanged === true || participants.some(({ isRanged }) => isRanged);
    this.isPrivate = participants.some(({ isPrivate }) => isPrivate);
    this.branchCount = Math.max(
      path?.path.branches.length ?? 1,
      ...participants.map((participant) => participant.branchCount),
    );
    this.keyCount = participants.length + 1;
    this.pathLength = participants.reduce(
      (sum, { pathLength }) => sum + pathLength,
      path?.path.branches[0]?.length ?? 0,
    );
  }

  text(branch?: number): string {
    const participants = this.#participants.map((participant) => participant.text(branch)).join(",");
    if (this.#path === undefined) return `${prefix}${participants})`;
    const { path, isRanged } = this.#path;
    const { branches } = path;
    const shown = branch === undefined ? branches : branches.slice(Math.min(branch, branches.length - 1)).slice(0, 1);
    return `${prefix}${participants})${branchesText(shown, path.mark)}${isRanged ? "/*" : ""}`;
  }

  derive(position: number, branch: number): DerivedKey | undefined {
    if (this.#path !== undefined) return this.#rootOf(this.#path, branch)?.derive(position, branch);
    const publicKey = this.#aggregate(position, branch);
    return publicKey && { publicKey, origin: { fingerprint: hash160(publicKey).subarray(0, 4), path: [] } };
  }

  *prepare(position: number, branch: number): Generator<undefined> {
    for (const participant of this.#participants) yield* participant.prepare(position, branch);
    if (this.#path !== undefined) yield* this.#rootOf(this.#path, branch)?.prepare(position, branch) ?? [];
  }

  #rootOf({ elements, path }: AggregatePath, branch: number): KeyExpression | undefined {
    // If the path has the branches, the participants have one.
    const key = path.branches.length > 1 ? 0 : branch;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const publicKey = this.#aggregate(0, key);
    if (publicKey === undefined) return undefined;
    const root = extendedKeyExpression(
      ExtendedKey.ofPublicKey(publicKey, chainCode, this.#network),
      undefined,
      elements,
    );
    this.#roots.set(key, root);
    return root;
  }

  #aggregate(position: number, branch: number): Uint8Array | undefined {
    const keys: Uint8Array[] = [];
    for (const participant of this.#participants) {
      const derived = participant.derive(position, branch);
      if (derived === undefined) return undefined;
      keys.push(derived.publicKey);
    }
    return aggregateKeys(keys.toSorted((left, right) => Buffer.compare(left, right)));
  }
}
