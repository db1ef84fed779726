import { toHex } from "@nodewright/bitcoin-primitives";
import { descriptorChecksum } from "./descriptor-checksum.ts";
import type { Descriptor, TaprootTree } from "./descriptor.ts";

/** A descriptor as text, with its checksum and without private keys. */
export function renderWithChecksum(descriptor: Descriptor): string {
  const text = renderText(descriptor);
  return `${text}#${descriptorChecksum(text)}`;
}

function renderText(descriptor: Descriptor): string {
  switch (descriptor.kind) {
    case "pk":
    case "pkh":
    case "wpkh":
    case "combo":
    case "rawtr":
      return `${descriptor.kind}(${descriptor.key.text})`;
    case "multi":
    case "multi_a": {
      const name = `${descriptor.isSorted ? "sorted" : ""}${descriptor.kind}`;
      return `${name}(${[descriptor.required, ...descriptor.keys.map(({ text }) => text)].join(",")})`;
    }
    case "sh":
    case "wsh":
      return `${descriptor.kind}(${renderText(descriptor.inner)})`;
    case "tr":
      return descriptor.tree === undefined
        ? `tr(${descriptor.key.text})`
        : `tr(${descriptor.key.text},${renderTree(descriptor.tree)})`;
    case "addr":
      return `addr(${descriptor.address})`;
    case "raw":
      return `raw(${toHex(descriptor.script)})`;
  }
}

function renderTree(tree: TaprootTree): string {
  return tree.kind === "leaf" ? renderText(tree.descriptor) : `{${renderTree(tree.left)},${renderTree(tree.right)}}`;
}
