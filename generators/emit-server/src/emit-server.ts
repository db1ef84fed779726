import type { ApiModel, EmittedFile, ArtefactEmitter, ArtefactRequest } from "@nodewright/model";
import { callsFile } from "./calls-file.ts";
import { documentFiles } from "./document-file.ts";
import { graphqlServerFile } from "./graphql-server-file.ts";
import { handlerFiles, handlerStubs } from "./handler-files.ts";
import { operationsFile } from "./operations-file.ts";
import { serverFile } from "./server-file.ts";
import { webhookFiles } from "./webhooks-file.ts";

/** Emits the table of operations, the server skeleton, and the stubs and the index of its handlers. */
export const emitServer: ArtefactEmitter = {
  name: "server",
  emit({ model, packageName, handlers }: ArtefactRequest) {
    const files = [
      ...callsFiles(model),
      operationsFile(model),
      skeleton(model, handlers?.removed),
      ...documentFiles(model),
      ...webhookFiles(model),
    ];
    if (handlers === undefined) return { files };
    return {
      files,
      stubs: handlerStubs(model, packageName, handlers),
      handlerFiles: handlerFiles(model, packageName, handlers),
    };
  },
};

function callsFiles(model: ApiModel): readonly EmittedFile[] {
  const file = callsFile(model);
  return file === undefined ? [] : [file];
}

function skeleton(model: ApiModel, removed: readonly string[] = []): EmittedFile {
  return model.protocol === "graphql" ? graphqlServerFile(model, removed) : serverFile(model, removed);
}
