import type { ApiModel, EmittedFile } from "@nodewright/model";
import { createSourceFile, stringLiteral } from "@nodewright/output";

/** Emits `document.ts`: the description of a JSON-RPC API, for servers that support `rpc.discover` and help texts. */
export function documentFiles({ document, documentText }: ApiModel): readonly EmittedFile[] {
  if (documentText === undefined) return [];
  const file = createSourceFile({ path: "document.ts", document, declares: ["documentText"] });
  file.add({
    kind: "constant",
    name: "documentText",
    isExported: true,
    comment: {
      prose: ["The document as JSON, in the order in which it was written."],
      tags: [`@generated from ${document}`],
    },
    type: "string",
    value: stringLiteral(documentText),
  });
  return [file.print()];
}
