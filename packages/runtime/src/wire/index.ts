export { decodeBody, decodeItems, encodeBody, type EncodedBody, encodeItem, isStreamed } from "./body.ts";
export { EventParser, type ServerSentEvent } from "./event-stream.ts";
export { FileBytes, type FileFacts } from "./file-bytes.ts";
export { JsonLinesParser } from "./json-lines.ts";
export { decodeScalar } from "./scalar-text.ts";
export { isWireError } from "./wire-error.ts";
export { type WrittenParameters, writeParameters } from "./write-parameters.ts";
