import type { ApiModel, ArtefactEmitter, ArtefactRequest, PiecedFile } from "@nodewright/model";
import { updateByPieces } from "@nodewright/output";
import { graphqlServerFile } from "./graphql-server-file.ts";
import { handlerFiles, handlerStubs } from "./handler-files.ts";
import { serverFile } from "./server-file.ts";
import { webhookFiles } from "./webhooks-file.ts";

/** Emits the server skeleton, and the stubs and the index of its handlers. It imports the tables that `emitOperations` writes. */
export const emitServer: ArtefactEmitter = {
  name: "server",
  emit({ model, packageName, handlers }: ArtefactRequest) {
    const files = serverFiles(model, handlers?.removed);
    if (handlers === undefined) return { files };
    return {
      files,
      stubs: handlerStubs(model, packageName, handlers),
      handlerFiles: handlerFiles(model, packageName, handlers),
    };
  },
  update: (change) => updateByPieces(change, serverFiles),
};

function serverFiles(model: ApiModel, removed: readonly string[] = []): readonly PiecedFile[] {
  const skeleton = model.protocol === "graphql" ? graphqlServerFile(model, removed) : serverFile(model, removed);
  return [skeleton, ...webhookFiles(model)];
}
