export { escapeSegment, segmentsOf } from "@nodewright/api-model";
