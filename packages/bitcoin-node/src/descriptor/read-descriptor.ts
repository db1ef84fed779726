import { rpcError } from "../parameters/rpc-error.ts";
import type { Descriptor } from "./descriptor.ts";
import { DescriptorError } from "./descriptor-error.ts";
import { type ParseOptions, parseDescriptor } from "./parse-descriptor.ts";

/** Parses a client's descriptor. Throws -5 with the problem. */
export function readDescriptor(text: string, options: ParseOptions): Descriptor {
  try {
    return parseDescriptor(text, options);
  } catch (error) {
    if (error instanceof DescriptorError) throw rpcError("invalidDescriptor", error.message);
    throw error;
  }
}
