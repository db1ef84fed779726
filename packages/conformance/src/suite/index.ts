export type * from "./suite.ts";
export type * from "./suite-type.ts";
