import { ServiceError } from "@nodewright/runtime";

/** The refusal of a range of `actual` blocks, with what callers need who ask for shorter ones. */
export function rangeTooLong(limit: "blocks" | "logBlocks", maximum: number, actual: bigint): ServiceError {
  const message = `The range of blocks is longer than ${maximum}, the limit; ask for less at once`;
  return new ServiceError("invalid_input", message, { details: { limit, maximum, actual: Number(actual) } });
}
