export {
  hasOutputBody,
  hasReplyEnvelope,
  hasSecuritySchemes,
  negotiatedTypes,
  preferredContent,
} from "./contract-facts.ts";
export { contractNames, predicateName, violationsName } from "./contract-names.ts";
export type { ContractNames, DocumentTypeNames, OperationTypeNames } from "./contract-names.ts";
