export { assertNever } from "./assert-never.ts";
export type * from "./emitter.ts";
export type * from "./operation.ts";
export type * from "./type-node.ts";
