export type { IndexRestContext } from "./request/context.ts";
export { handlers } from "./handlers/index.ts";
export { endpointNotFound } from "./response/refusal.ts";
