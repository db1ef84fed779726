export { emitContract, emitTypesAlone } from "./emit-contract.ts";
export { emitOperations } from "./operations/emit-operations.ts";
