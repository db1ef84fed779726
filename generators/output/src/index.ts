export {
  hasOutputBody,
  hasReplyEnvelope,
  inputNeedsCodec,
  inputTypes,
  needsCodec,
  outputNeedsCodec,
  outputTypes,
  preferredContent,
} from "./names/contract-facts.ts";
export { contractNames, decoderName, encoderName, predicateName, violationsName } from "./names/contract-names.ts";
export type { ContractNames, DocumentTypeNames, OperationTypeNames } from "./names/contract-names.ts";
export { hidesGlobal, isIdentifier, lowerFirst, safeIdentifier, upperFirst } from "./names/identifiers.ts";
