/** Conditions of scripts whose owner reveals them when spending: of P2SH, P2WSH and tapscript. */
export type InnerKind =
  | "public-key"
  | "public-key-hash"
  | "multisig"
  | "hash-lock"
  | "absolute-timelock"
  | "relative-timelock"
  | "either";

/** Form in which a scriptPubKey locks an output. */
export type ScriptForm =
  | { readonly form: "bare"; readonly inner: InnerKind; readonly isUncompressed?: true }
  | { readonly form: "p2sh" | "p2wsh" | "p2sh-p2wsh"; readonly inner: InnerKind }
  | { readonly form: "p2wpkh" | "p2sh-p2wpkh" }
  | { readonly form: "p2tr-key-path" | "p2tr-script-path" | "p2tr-multisig" }
  | {
      readonly form: "non-standard-push" | "non-standard-sum" | "empty" | "unknown-witness" | "anchor" | "unspendable";
    };

/** Every kind of lock of a chain's outputs; `op-return` is written by transactions as they need it. */
export type ScriptKind =
  | "p2pk"
  | "p2pk-uncompressed"
  | "p2pkh"
  | "p2pkh-uncompressed"
  | "multisig"
  | "p2sh-public-key"
  | "p2sh-multisig"
  | "p2sh-hash-lock"
  | "p2sh-absolute-timelock"
  | "p2sh-relative-timelock"
  | "p2sh-either"
  | "p2wpkh"
  | "p2sh-p2wpkh"
  | "p2wsh-public-key-hash"
  | "p2wsh-multisig"
  | "p2wsh-hash-lock"
  | "p2wsh-relative-timelock"
  | "p2wsh-either"
  | "p2sh-p2wsh-multisig"
  | "p2sh-p2wsh-absolute-timelock"
  | "p2tr-key-path"
  | "p2tr-script-path"
  | "p2tr-multisig"
  | "non-standard-push"
  | "non-standard-sum"
  | "unknown-witness"
  | "unspendable"
  | "empty"
  | "anchor";

interface KindFacts {
  readonly script: ScriptForm;
  /** Fraction of the scripts. 0 for kinds of which there is only one script. */
  readonly weight: number;
}

/** Form and frequency of each kind. */
export const scriptKinds: Readonly<Record<ScriptKind, KindFacts>> = {
  p2pk: { script: { form: "bare", inner: "public-key" }, weight: 1 },
  "p2pk-uncompressed": { script: { form: "bare", inner: "public-key", isUncompressed: true }, weight: 1 },
  p2pkh: { script: { form: "bare", inner: "public-key-hash" }, weight: 18 },
  "p2pkh-uncompressed": { script: { form: "bare", inner: "public-key-hash", isUncompressed: true }, weight: 1 },
  multisig: { script: { form: "bare", inner: "multisig" }, weight: 1 },
  "p2sh-public-key": { script: { form: "p2sh", inner: "public-key" }, weight: 1 },
  "p2sh-multisig": { script: { form: "p2sh", inner: "multisig" }, weight: 3 },
  "p2sh-hash-lock": { script: { form: "p2sh", inner: "hash-lock" }, weight: 1 },
  "p2sh-absolute-timelock": { script: { form: "p2sh", inner: "absolute-timelock" }, weight: 1 },
  "p2sh-relative-timelock": { script: { form: "p2sh", inner: "relative-timelock" }, weight: 1 },
  "p2sh-either": { script: { form: "p2sh", inner: "either" }, weight: 1 },
  p2wpkh: { script: { form: "p2wpkh" }, weight: 30 },
  "p2sh-p2wpkh": { script: { form: "p2sh-p2wpkh" }, weight: 8 },
  "p2wsh-public-key-hash": { script: { form: "p2wsh", inner: "public-key-hash" }, weight: 1 },
  "p2wsh-multisig": { script: { form: "p2wsh", inner: "multisig" }, weight: 2 },
  "p2wsh-hash-lock": { script: { form: "p2wsh", inner: "hash-lock" }, weight: 1 },
  "p2wsh-relative-timelock": { script: { form: "p2wsh", inner: "relative-timelock" }, weight: 1 },
  "p2wsh-either": { script: { form: "p2wsh", inner: "either" }, weight: 1 },
  "p2sh-p2wsh-multisig": { script: { form: "p2sh-p2wsh", inner: "multisig" }, weight: 2 },
  "p2sh-p2wsh-absolute-timelock": { script: { form: "p2sh-p2wsh", inner: "absolute-timelock" }, weight: 1 },
  "p2tr-key-path": { script: { form: "p2tr-key-path" }, weight: 42 },
  "p2tr-script-path": { script: { form: "p2tr-script-path" }, weight: 2 },
  "p2tr-multisig": { script: { form: "p2tr-multisig" }, weight: 1 },
  "non-standard-push": { script: { form: "non-standard-push" }, weight: 0.5 },
  "non-standard-sum": { script: { form: "non-standard-sum" }, weight: 0.5 },
  "unknown-witness": { script: { form: "unknown-witness" }, weight: 0.5 },
  unspendable: { script: { form: "unspendable" }, weight: 0.5 },
  empty: { script: { form: "empty" }, weight: 0 },
  anchor: { script: { form: "anchor" }, weight: 0 },
};

/** Every kind, in the order of the table. */
export const everyScriptKind: readonly ScriptKind[] = Object.keys(scriptKinds).filter(isScriptKind);

/** Kinds of hot scripts, the hottest first: those whose users publish an address and keep it. */
export const hotScriptKinds: readonly ScriptKind[] = [
  "p2wpkh",
  "p2pkh",
  "p2tr-key-path",
  "p2sh-p2wpkh",
  "p2wsh-multisig",
  "p2sh-multisig",
  "p2pkh-uncompressed",
  "p2sh-p2wsh-multisig",
];

function isScriptKind(text: string): text is ScriptKind {
  return text in scriptKinds;
}
