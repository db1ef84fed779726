import type { CoreScriptType } from "@nodewright/bitcoin-primitives";
import { inferDescriptor } from "../descriptor/infer-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";

/**
 * The output descriptor, with its checksum, that Bitcoin Core infers for a script about which nothing else is known: `pk`, `multi`
 * and `rawtr` show their keys, other scripts with an address are `addr`, the rest is `raw`. `type` and `address` are the script's own.
 */
export function renderDescriptor(script: Uint8Array, type: CoreScriptType, address: string | undefined): string {
  return renderWithChecksum(inferDescriptor({ script, type, address }));
}
