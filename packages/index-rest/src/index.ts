export type { IndexRestContext } from "./context.ts";
export { endpointNotFound } from "./refusal.ts";
