export { emitContract, emitTypesAlone } from "./emit-contract.ts";
