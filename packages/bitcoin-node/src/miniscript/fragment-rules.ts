import type { Fragment } from "./fragment.ts";

/** Parts of a fragment in BIP 379's names. */
type PartName = "X" | "Y" | "Z";

/**
 * One row of BIP 379's tables. Properties are written as there: `z=zX.zY` reads "z if X and Y are both z", `+` is "or", and a property
 * without a condition always holds.
 */
export interface FragmentRule {
  /**
   * Basic type and properties that each part must have, in the order of the parts. `same`: one of B, K and V, and the same one for all such
   * parts.
   */
  readonly requires: Readonly<Partial<Record<PartName, string>>>;
  /** Basic type; `same`: that of the parts with a common type. */
  readonly type: "B" | "V" | "K" | "W" | "same";
  /** Resulting z, o, n, d and u. */
  readonly correctness: string;
  /** Resulting s, f and e. */
  readonly malleability: string;
  /** Condition without which third parties can change how the fragment is satisfied. */
  readonly unmalleable?: string;
  /** Number of the fragment's own opcodes that push nothing. */
  readonly operations: number;
  /**
   * Ways to satisfy it that third parties cannot change: `X` satisfies a part, `-X` dissatisfies it, and `1` is one witness item of the
   * fragment's own. The list is empty where there is no way.
   */
  readonly satisfactions: readonly string[];
  readonly dissatisfactions: readonly string[];
}

const noWay: readonly string[] = [];
const nothing: readonly string[] = [""];
const oneItem: readonly string[] = ["1"];

const timelock: FragmentRule = {
  requires: {},
  type: "B",
  correctness: "z",
  malleability: "f",
  operations: 1,
  satisfactions: nothing,
  dissatisfactions: noWay,
};

const hashLock: FragmentRule = {
  requires: {},
  type: "B",
  correctness: "o n d u",
  malleability: "",
  operations: 4,
  satisfactions: oneItem,
  // Any other 32 bytes would do, and could be exchanged.
  dissatisfactions: noWay,
};

/** Every fragment of P2WSH except `thresh` and `multi`, whose rows count their parts and keys. */
export const fragmentRules: Readonly<Record<Exclude<Fragment["kind"], "thresh" | "multi">, FragmentRule>> = {
  "0": {
    requires: {},
    type: "B",
    correctness: "z u d",
    malleability: "s e",
    operations: 0,
    satisfactions: noWay,
    dissatisfactions: nothing,
  },
  "1": {
    requires: {},
    type: "B",
    correctness: "z u",
    malleability: "f",
    operations: 0,
    satisfactions: nothing,
    dissatisfactions: noWay,
  },
  pk_k: {
    requires: {},
    type: "K",
    correctness: "o n d u",
    malleability: "s e",
    operations: 0,
    satisfactions: oneItem,
    dissatisfactions: oneItem,
  },
  older: timelock,
  after: timelock,
  sha256: hashLock,
  ripemd160: hashLock,
  hash256: hashLock,
  hash160: hashLock,
  andor: {
    requires: { X: "Bdu", Y: "same", Z: "same" },
    type: "same",
    correctness: "z=zX.zY.zZ o=zX.oY.oZ+oX.zY.zZ u=uY.uZ d=dZ",
    unmalleable: "eX.sX+eX.sY+eX.sZ",
    malleability: "s=sZ.sX+sZ.sY f=fZ.sX+fZ.fY e=eZ.sX+eZ.fY",
    operations: 3,
    satisfactions: ["Y X", "Z -X"],
    dissatisfactions: ["-Z -X"],
  },
  and_v: {
    requires: { X: "V", Y: "same" },
    type: "same",
    correctness: "z=zX.zY o=zX.oY+zY.oX n=nX+zX.nY u=uY",
    malleability: "s=sX+sY f=sX+fY",
    operations: 0,
    satisfactions: ["Y X"],
    dissatisfactions: noWay,
  },
  and_b: {
    requires: { X: "B", Y: "W" },
    type: "B",
    correctness: "z=zX.zY o=zX.oY+zY.oX n=nX+zX.nY d=dX.dY u",
    malleability: "s=sX+sY f=fX.fY+sX.fX+sY.fY e=eX.eY.sX.sY",
    operations: 1,
    satisfactions: ["Y X"],
    dissatisfactions: ["-Y -X"],
  },
  or_b: {
    requires: { X: "Bd", Z: "Wd" },
    type: "B",
    correctness: "z=zX.zZ o=zX.oZ+zZ.oX d u",
    unmalleable: "eX.eZ.sX+eX.eZ.sZ",
    malleability: "s=sX.sZ e",
    operations: 1,
    satisfactions: ["-Z X", "Z -X"],
    dissatisfactions: ["-Z -X"],
  },
  or_c: {
    requires: { X: "Bdu", Z: "V" },
    type: "V",
    correctness: "z=zX.zZ o=oX.zZ",
    unmalleable: "eX.sX+eX.sZ",
    malleability: "s=sX.sZ f",
    operations: 2,
    satisfactions: ["X", "Z -X"],
    dissatisfactions: noWay,
  },
  or_d: {
    requires: { X: "Bdu", Z: "B" },
    type: "B",
    correctness: "z=zX.zZ o=oX.zZ d=dZ u=uZ",
    unmalleable: "eX.sX+eX.sZ",
    malleability: "s=sX.sZ f=fZ e=eZ",
    operations: 3,
    satisfactions: ["X", "Z -X"],
    dissatisfactions: ["-Z -X"],
  },
  or_i: {
    requires: { X: "same", Z: "same" },
    type: "same",
    correctness: "o=zX.zZ u=uX.uZ d=dX+dZ",
    unmalleable: "sX+sZ",
    malleability: "s=sX.sZ f=fX.fZ e=eX.fZ+eZ.fX",
    operations: 3,
    satisfactions: ["X 1", "Z 1"],
    dissatisfactions: ["-X 1", "-Z 1"],
  },
  a: {
    requires: { X: "B" },
    type: "W",
    correctness: "d=dX u=uX",
    malleability: "s=sX f=fX e=eX",
    operations: 2,
    satisfactions: ["X"],
    dissatisfactions: ["-X"],
  },
  s: {
    requires: { X: "Bo" },
    type: "W",
    correctness: "d=dX u=uX",
    malleability: "s=sX f=fX e=eX",
    operations: 1,
    satisfactions: ["X"],
    dissatisfactions: ["-X"],
  },
  c: {
    requires: { X: "K" },
    type: "B",
    correctness: "o=oX n=nX d=dX u",
    malleability: "s f=fX e=eX",
    operations: 1,
    satisfactions: ["X"],
    dissatisfactions: ["-X"],
  },
  d: {
    requires: { X: "Vz" },
    type: "B",
    correctness: "o n d",
    malleability: "s=sX e",
    operations: 3,
    satisfactions: ["X 1"],
    dissatisfactions: oneItem,
  },
  v: {
    requires: { X: "B" },
    type: "V",
    correctness: "z=zX o=oX n=nX",
    malleability: "s=sX f",
    // None where the part's last opcode has a form that verifies.
    operations: 1,
    satisfactions: ["X"],
    dissatisfactions: noWay,
  },
  j: {
    requires: { X: "Bn" },
    type: "B",
    correctness: "o=oX n d u=uX",
    malleability: "s=sX e=fX",
    operations: 4,
    satisfactions: ["X"],
    dissatisfactions: oneItem,
  },
  n: {
    requires: { X: "B" },
    type: "B",
    correctness: "z=zX o=oX n=nX d=dX u",
    malleability: "s=sX f=fX e=eX",
    operations: 1,
    satisfactions: ["X"],
    dissatisfactions: ["-X"],
  },
};
