export { createParametersReader, type ParametersReader, type RawParameters } from "./read-parameters.ts";
export { decodeScalar } from "./scalar-text.ts";
export { isWireError, WireError, type WireErrorKind } from "./wire-error.ts";
export { defaultWireLimits, type WireLimits } from "./wire-limits.ts";
export { type WrittenParameters, writeParameters } from "./write-parameters.ts";
