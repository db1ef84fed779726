export { hasOutputBody } from "../names/contract-facts.ts";
export { type ContentFacts, contentFacts, type PropertyFacts } from "./content-facts.ts";
export { admitsNull, type Decoding, decodingOf, type ScalarDecoding } from "./decoding.ts";
export { type ExtensionFacts, extensionFacts } from "./extension-facts.ts";
export { failureFacts, operationFacts } from "./operation-facts.ts";
export { argumentFacts, type ParameterFacts, parameterFacts } from "./parameter-facts.ts";
