import type {
  ApiModel,
  ArtefactChange,
  ArtefactEmitter,
  ArtefactRequest,
  ArtefactUpdate,
  PiecedFile,
} from "@nodewright/model";
import { updateByPieces } from "@nodewright/output";
import { callsFile } from "./calls-file.ts";
import { documentFiles } from "./document-file.ts";
import { graphqlServerFile } from "./graphql-server-file.ts";
import { handlerFiles, handlerStubs } from "./handler-files.ts";
import { operationsFile } from "./operations-file.ts";
import { serverFile } from "./server-file.ts";
import { type SettledSecurity, securityKey, settledSecurity, settleSecurity } from "./shared-security.ts";
import { webhookFiles } from "./webhooks-file.ts";

/** Emits the table of operations, the server skeleton, and the stubs and the index of its handlers. */
export const emitServer: ArtefactEmitter = {
  name: "server",
  emit({ model, packageName, handlers }: ArtefactRequest) {
    const files = filesOf(model, handlers?.removed);
    const settled = settledSecurity(model);
    if (handlers === undefined) return { files, settled };
    return {
      files,
      settled,
      stubs: handlerStubs(model, packageName, handlers),
      handlerFiles: handlerFiles(model, packageName, handlers),
    };
  },
  update: (change) => updateSecured(change, filesOf),
};

/** Emits the table of operations, which clients and suites need too, without a server. */
export const emitOperations: ArtefactEmitter = {
  name: emitServer.name,
  emit: ({ model }) => ({ files: tableFiles(model), settled: settledSecurity(model) }),
  update: (change) => updateSecured(change, tableFiles),
};

function filesOf(model: ApiModel, removed: readonly string[] = []): readonly PiecedFile[] {
  return [...tableFiles(model), skeleton(model, removed), ...webhookFiles(model)];
}

function tableFiles(model: ApiModel): readonly PiecedFile[] {
  const calls = callsFile(model);
  return [...(calls === undefined ? [] : [calls]), operationsFile(model), ...documentFiles(model)];
}

function skeleton(model: ApiModel, removed: readonly string[]): PiecedFile {
  return model.protocol === "graphql" ? graphqlServerFile(model, removed) : serverFile(model, removed);
}

/**
 * Updates files with security requirements. Which ones are shared depends on all operations, so a change of requirements does not concern
 * a single operation only, and a doubt is returned.
 */
function updateSecured(change: ArtefactChange, emit: (model: ApiModel) => readonly PiecedFile[]): ArtefactUpdate {
  const { before, after, settled = {} } = change;
  if (requirementsOf(before) !== requirementsOf(after)) return { doubt: "security requirements change" };
  for (const model of [before, after]) settleSecurity(model, settled as SettledSecurity);
  const updated = updateByPieces(change, emit);
  return "doubt" in updated ? updated : { ...updated, settled };
}

function requirementsOf({ operations }: ApiModel): string {
  return operations.map(({ security }) => (security === undefined ? "" : securityKey(security))).join("\n");
}
