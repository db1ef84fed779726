import type { ApiModel, ArtefactChange, ArtefactEmitter, ArtefactUpdate, PiecedFile } from "@nodewright/model";
import { updateByPieces } from "@nodewright/output";
import { callsFile } from "./calls-file.ts";
import { documentFiles } from "./document-file.ts";
import { operationsFile } from "./operations-file.ts";
import { type SettledSecurity, securityKey, settledSecurity, settleSecurity } from "./shared-security.ts";

/** Emits the tables of operations, which clients and servers share: `calls.ts`, `operations.ts` and `document.ts`. */
export const emitOperations: ArtefactEmitter = {
  name: "operations",
  emit: ({ model }) => ({ files: operationFiles(model), settled: settledSecurity(model) }),
  update: updateOperations,
};

function operationFiles(model: ApiModel): readonly PiecedFile[] {
  const calls = callsFile(model);
  return [...(calls === undefined ? [] : [calls]), operationsFile(model), ...documentFiles(model)];
}

/**
 * Updates the tables. Which security requirements are shared depends on all operations, so a change of requirements does not concern a
 * single operation only, and a doubt is returned.
 */
function updateOperations(change: ArtefactChange): ArtefactUpdate {
  const { before, after, settled = {} } = change;
  if (requirementsOf(before) !== requirementsOf(after)) return { doubt: "security requirements change" };
  for (const model of [before, after]) settleSecurity(model, settled as SettledSecurity);
  const updated = updateByPieces(change, operationFiles);
  return "doubt" in updated ? updated : { ...updated, settled };
}

function requirementsOf({ operations }: ApiModel): string {
  return operations.map(({ security }) => (security === undefined ? "" : securityKey(security))).join("\n");
}
