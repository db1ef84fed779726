export type { HandlerRename, RenameRequest } from "./rename-edits.ts";
export { planHandlerRenames } from "./rename-plan.ts";
export type { PeopleFileChange, RenamePlan } from "./rename-plan.ts";
