export { findPathChange } from "./document-change.ts";
export type { ChangedMember, PathChange, TextRange } from "./document-change.ts";
export { type DocumentOutline, type NamedRange, outlineOf, shiftOutline } from "./document-outline.ts";
export { type DocumentSlice, type DocumentSlices, sliceDocument, type SliceSegment } from "./document-slice.ts";
export { openapiDiagnostics } from "./openapi-diagnostics.ts";
export { readOpenApi } from "./read-openapi.ts";
export type { ReadOptions } from "./read-openapi.ts";
