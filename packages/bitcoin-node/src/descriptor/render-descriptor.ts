import { toHex } from "@nodewright/bitcoin-primitives";
import { descriptorChecksum } from "./descriptor-checksum.ts";
import type { Descriptor, TaprootTree } from "./descriptor.ts";

/** Renders a descriptor with its checksum and without private keys; `branch`: as one of BIP 389's several. */
export function renderWithChecksum(descriptor: Descriptor, branch?: number): string {
  const text = renderText(descriptor, branch);
  return `${text}#${descriptorChecksum(text)}`;
}

function renderText(descriptor: Descriptor, branch: number | undefined): string {
  switch (descriptor.kind) {
    case "pk":
    case "pkh":
    case "wpkh":
    case "combo":
    case "rawtr":
      return `${descriptor.kind}(${descriptor.key.text(branch)})`;
    case "multi":
    case "multi_a": {
      const name = `${descriptor.isSorted ? "sorted" : ""}${descriptor.kind}`;
      return `${name}(${[descriptor.required, ...descriptor.keys.map((key) => key.text(branch))].join(",")})`;
    }
    case "sh":
    case "wsh":
      return `${descriptor.kind}(${renderText(descriptor.inner, branch)})`;
    case "tr":
      return descriptor.tree === undefined
        ? `tr(${descriptor.key.text(branch)})`
        : `tr(${descriptor.key.text(branch)},${renderTree(descriptor.tree, branch)})`;
    case "miniscript":
      return descriptor.text;
    case "addr":
      return `addr(${descriptor.address})`;
    case "raw":
      return `raw(${toHex(descriptor.script)})`;
  }
}

function renderTree(tree: TaprootTree, branch: number | undefined): string {
  if (tree.kind === "leaf") return renderText(tree.descriptor, branch);
  return `{${renderTree(tree.left, branch)},${renderTree(tree.right, branch)}}`;
}
