import type { SettledRequests, SettledUnit } from "../contract/requests.ts";
import type { SettledStructures } from "../contract/structure.ts";

/** Decisions that were made while a `codecs.ts` was written, as JSON: enough to rewrite a part of it. */
export interface SettledCodecs {
  readonly structures: SettledStructures;
  /** Units in file order, as in all lists here; first all types, then the parts of both directions. */
  readonly types: readonly { readonly name: string; readonly decode: SettledUnit; readonly encode: SettledUnit }[];
  readonly decode: readonly SettledCodecPart[];
  readonly encode: readonly SettledCodecPart[];
  readonly requests: SettledRequests;
  /** Characters of the functions with a fixed text, which are last. */
  readonly helperLength: number;
}

export interface SettledCodecPart {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly unit: SettledUnit;
}
