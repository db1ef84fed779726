export { assertNever } from "./assert-never.ts";
export type * from "./emitter.ts";
export { defaultMarks, marksFrom, markValues } from "./marks.ts";
export type { MarkValue } from "./marks.ts";
export { camelCase, createNameAllocator, handlerFileName, kebabCase, nameWords, pascalCase } from "./names.ts";
export type { NameAllocator } from "./names.ts";
export type * from "./operation.ts";
export type * from "./type-node.ts";
export { checkMarks, markDiagnostics } from "./mark-check.ts";
