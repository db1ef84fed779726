/** Expression of miniscript (BIP 379). Wrappers such as `v:` are fragments with one part. */
export type Fragment =
  | { readonly kind: "0" | "1" }
  | { readonly kind: "pk_k"; readonly key: Uint8Array }
  | { readonly kind: "older" | "after"; readonly number: number }
  | { readonly kind: HashKind; readonly hash: Uint8Array }
  | { readonly kind: "multi"; readonly required: number; readonly keys: readonly Uint8Array[] }
  | { readonly kind: "thresh"; readonly required: number; readonly parts: readonly Fragment[] }
  | { readonly kind: Wrapper; readonly part: Fragment }
  | { readonly kind: Pair; readonly left: Fragment; readonly right: Fragment }
  | { readonly kind: "andor"; readonly condition: Fragment; readonly met: Fragment; readonly unmet: Fragment };

export type HashKind = "sha256" | "hash256" | "ripemd160" | "hash160";
export type Wrapper = "a" | "s" | "c" | "d" | "v" | "j" | "n";
export type Pair = "and_v" | "and_b" | "or_b" | "or_c" | "or_d" | "or_i";

/** Returns the direct parts of a fragment. */
export function partsOf(fragment: Fragment): readonly Fragment[] {
  switch (fragment.kind) {
    case "thresh":
      return fragment.parts;
    case "andor":
      return [fragment.condition, fragment.met, fragment.unmet];
    case "and_v":
    case "and_b":
    case "or_b":
    case "or_c":
    case "or_d":
    case "or_i":
      return [fragment.left, fragment.right];
    case "a":
    case "s":
    case "c":
    case "d":
    case "v":
    case "j":
    case "n":
      return [fragment.part];
    default:
      return [];
  }
}
