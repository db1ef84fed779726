export { planHandlerRenames } from "./rename-plan.ts";
export type { HandlerRename, PeopleFileChange, RenamePlan, RenameRequest } from "./rename-plan.ts";
