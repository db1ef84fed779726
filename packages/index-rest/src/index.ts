export type { IndexRestContext } from "./context.ts";
export { handlers } from "./handlers/index.ts";
export { endpointNotFound } from "./refusal.ts";
