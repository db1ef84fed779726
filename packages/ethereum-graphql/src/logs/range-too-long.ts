import { ServiceError } from "@nodewright/runtime";

/** Creates the error for a range of `actual` blocks, with the data that clients need to request shorter ones. */
export function rangeTooLong(limit: "blocks" | "logBlocks", maximum: number, actual: bigint): ServiceError {
  const message = `The range of blocks is longer than ${maximum}, the limit; request less at once`;
  return new ServiceError("invalid_input", message, { details: { limit, maximum, actual: Number(actual) } });
}
