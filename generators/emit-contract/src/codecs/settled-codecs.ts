import type { SettledRequests, SettledUnit } from "../requests.ts";
import type { SettledStructures } from "../validators/structure.ts";

/** What was settled while a `codecs.ts` was written, as JSON: enough to write a part of it again. */
export interface SettledCodecs {
  readonly structures: SettledStructures;
  /** In the order of the file, as are all lists; first all types, then the parts of both directions. */
  readonly types: readonly { readonly name: string; readonly decode: SettledUnit; readonly encode: SettledUnit }[];
  readonly decode: readonly SettledCodecPart[];
  readonly encode: readonly SettledCodecPart[];
  readonly requests: SettledRequests;
  /** Characters of the functions of a fixed text, which stand last. */
  readonly helperLength: number;
}

export interface SettledCodecPart {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly unit: SettledUnit;
}
