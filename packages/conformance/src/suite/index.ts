export { saysByChance, saysExcerpt } from "./described-facts.ts";
export { includesBound, isOrdered } from "./includes-bound.ts";
export type * from "./suite.ts";
export type * from "./suite-type.ts";
