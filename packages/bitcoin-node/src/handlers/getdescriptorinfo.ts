import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { branchCount, isRanged, keysOf } from "../descriptor/descriptor.ts";
import { descriptorChecksum } from "../descriptor/descriptor-checksum.ts";
import { splitChecksum } from "../descriptor/parse-descriptor.ts";
import { readDescriptor } from "../descriptor/read-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";

/** Describes a descriptor, and returns its form without private keys. */
export const getdescriptorinfo: BitcoinHandler<"getdescriptorinfo", BitcoinNodeContext> = (
  { descriptor: text },
  { index },
) => {
  const descriptor = readDescriptor(text, { network: index.network });
  const branches = Array.from({ length: branchCount(descriptor) }, (_, branch) =>
    renderWithChecksum(descriptor, branch),
  );
  return {
    descriptor: branches[0] ?? "",
    ...(branches.length > 1 ? { multipath_expansion: branches } : {}),
    checksum: descriptorChecksum(splitChecksum(text, false).content),
    isrange: isRanged(descriptor),
    issolvable: descriptor.kind !== "addr" && descriptor.kind !== "raw",
    hasprivatekeys: keysOf(descriptor).some((key) => key.isPrivate),
  };
};
