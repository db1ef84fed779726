import type { ArtefactEmitter } from "@nodewright/model";
import { updateByPieces } from "@nodewright/output";
import { clientFile } from "./client-file.ts";

/** Emits `client.ts`. It imports the table of `calls.ts`, which emit-contract writes. */
export const emitClient: ArtefactEmitter = {
  name: "client",
  emit: ({ model }) => ({ files: [clientFile(model)] }),
  update: (change) => updateByPieces(change, (model) => [clientFile(model)]),
};
