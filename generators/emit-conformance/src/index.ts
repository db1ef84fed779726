export { emitConformance } from "./emit-conformance.ts";
export { createSuite } from "./suite/create-suite.ts";
