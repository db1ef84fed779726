export { emitConformance } from "./emit-conformance.ts";
export { suiteOf } from "./suite/suite-of.ts";
