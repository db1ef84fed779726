export { emitContract } from "./emit-contract.ts";
