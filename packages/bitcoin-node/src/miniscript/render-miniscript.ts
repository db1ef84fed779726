import { toHex } from "@nodewright/bitcoin-primitives";
import { type Fragment, partsOf } from "./fragment.ts";

/** Returns every key in a fragment, in source order. */
export function everyKey(fragment: Fragment): readonly Uint8Array[] {
  if (fragment.kind === "pk_k") return [fragment.key];
  if (fragment.kind === "multi") return fragment.keys;
  return partsOf(fragment).flatMap(everyKey);
}

/** Renders a fragment in BIP 379's notation, with its short forms. `keyText`: returns a key's text. */
export function renderMiniscript(fragment: Fragment, keyText: (key: Uint8Array) => string): string {
  const { wrappers, inner } = unwrapped(fragment);
  const text = renderInner(inner, keyText);
  return wrappers === "" ? text : `${wrappers}:${text}`;
}

/** Splits off the letters before the colon: of wrappers, and of the pairs with 0 and 1 that have a letter. */
function unwrapped(fragment: Fragment): { readonly wrappers: string; readonly inner: Fragment } {
  let wrappers = "";
  for (let inner = fragment; ; ) {
    const step = letterOf(inner);
    if (step === undefined) return { wrappers, inner };
    wrappers += step.letter;
    inner = step.part;
  }
}

function letterOf(fragment: Fragment): { readonly letter: string; readonly part: Fragment } | undefined {
  switch (fragment.kind) {
    case "c":
      return fragment.part.kind === "pk_k" ? undefined : { letter: "c", part: fragment.part };
    case "a":
    case "s":
    case "d":
    case "v":
    case "j":
    case "n":
      return { letter: fragment.kind, part: fragment.part };
    case "and_v":
      return fragment.right.kind === "1" ? { letter: "t", part: fragment.left } : undefined;
    case "or_i":
      if (fragment.left.kind === "0") return { letter: "l", part: fragment.right };
      return fragment.right.kind === "0" ? { letter: "u", part: fragment.left } : undefined;
    default:
      return undefined;
  }
}

function renderInner(fragment: Fragment, keyText: (key: Uint8Array) => string): string {
  const render = (part: Fragment): string => renderMiniscript(part, keyText);
  switch (fragment.kind) {
    case "0":
    case "1":
      return fragment.kind;
    case "pk_k":
      return `pk_k(${keyText(fragment.key)})`;
    case "c":
      return fragment.part.kind === "pk_k" ? `pk(${keyText(fragment.part.key)})` : `c:${render(fragment.part)}`;
    case "older":
    case "after":
      return `${fragment.kind}(${fragment.number})`;
    case "sha256":
    case "hash256":
    case "ripemd160":
    case "hash160":
      return `${fragment.kind}(${toHex(fragment.hash)})`;
    case "multi":
      return `multi(${[fragment.required, ...fragment.keys.map(keyText)].join(",")})`;
    case "thresh":
      return `thresh(${[fragment.required, ...fragment.parts.map(render)].join(",")})`;
    case "andor":
      return fragment.unmet.kind === "0"
        ? `and_n(${render(fragment.condition)},${render(fragment.met)})`
        : `andor(${render(fragment.condition)},${render(fragment.met)},${render(fragment.unmet)})`;
    case "and_v":
    case "and_b":
    case "or_b":
    case "or_c":
    case "or_d":
    case "or_i":
      return `${fragment.kind}(${render(fragment.left)},${render(fragment.right)})`;
    default:
      return `${fragment.kind}:${render(fragment.part)}`;
  }
}
