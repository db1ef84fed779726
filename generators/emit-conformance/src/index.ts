export { emitConformance } from "./emit-conformance.ts";
