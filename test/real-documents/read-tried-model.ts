import { basename, dirname } from "node:path";
import type { ApiModel } from "@nodewright/model";
import { readOpenApi } from "@nodewright/openapi";
import { readOpenRpc } from "@nodewright/openrpc";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";

/** The model of a document that the command line has generated from already; `text` is the document's own. */
export async function readTriedModel(file: string, text: string): Promise<ApiModel> {
  const sink = createDiagnosticSink();
  const options = { file: basename(file), name: "tried", documents: createDocumentSet(dirname(file), sink), sink };
  const read = await (/"?openrpc"?\s*:/.test(text.slice(0, 4000)) ? readOpenRpc(options) : readOpenApi(options));
  if (read === undefined) throw new Error(sink.diagnostics.map(({ message }) => message).join("\n"));
  return read;
}
