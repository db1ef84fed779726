import type {
  ApiModel,
  ArtefactChange,
  ArtefactEmitter,
  ArtefactUpdate,
  JsonValue,
  PiecedFile,
} from "@nodewright/model";
import { updateByPieces } from "@nodewright/output";
import { writeCodecs } from "./codecs/emit-codecs.ts";
import type { SettledCodecs } from "./codecs/settled-codecs.ts";
import { type CodecsUpdate, convertedContracts, updateCodecs } from "./update/update-codecs.ts";
import { emitTypes } from "./types/emit-types.ts";
import { writeValidators } from "./validators/emit-validators.ts";
import type { SettledValidators } from "./validators/settled-validators.ts";
import { updateValidators } from "./update/update-validators.ts";

/** Decisions over all types of a document. */
interface SettledContract {
  readonly validators: SettledValidators;
  readonly codecs?: SettledCodecs;
}

/** Emits `types.ts`, `validators.ts`, and `codecs.ts` where wire and memory differ. */
export const emitContract: ArtefactEmitter = {
  name: "contract",
  emit: ({ model }) => {
    const codecs = writeCodecs(model);
    const types = emitTypes(model);
    const validators = writeValidators(model);
    const files = [types, validators.file];
    const settled: SettledContract = { validators: validators.settled };
    if (codecs === undefined) return { files, settled: asJson(settled) };
    return { files: [...files, codecs.file], settled: asJson({ ...settled, codecs: codecs.settled }) };
  },
  update: updateContract,
};

/** Emits `types.ts` only, without any code. */
export const emitTypesAlone: ArtefactEmitter = {
  name: "types",
  emit: ({ model }) => ({ files: typesAlone(model) }),
  update: (change) => updateByPieces(change, typesAlone),
};

function typesAlone(model: ApiModel): readonly PiecedFile[] {
  return [emitTypes(model, { hasFailures: false })];
}

function updateContract(change: ArtefactChange): ArtefactUpdate {
  const { before, after } = change;
  const settled = change.settled as SettledContract | undefined;
  const text = change.files.get("validators.ts")?.text;
  if (settled === undefined || text === undefined) return { doubt: "validators.ts was not written before" };
  const types = updateByPieces(change, (model) => [emitTypes(model)]);
  if ("doubt" in types) return types;
  const codecs = updateOwnCodecs(change, settled);
  if (codecs !== undefined && "doubt" in codecs) return { doubt: `codecs.ts: ${codecs.doubt}` };
  const validators = updateValidators({ before, after, text, settled: settled.validators });
  if ("doubt" in validators) return { doubt: `validators.ts: ${validators.doubt}` };
  const files = [...types.files, validators.file];
  if (codecs === undefined) return { files, settled: asJson({ ...settled, validators: validators.settled }) };
  return {
    files: [...files, codecs.file],
    settled: asJson({ validators: validators.settled, codecs: codecs.settled }),
  };
}

/** Updates `codecs.ts`; undefined where the file is unchanged, if there is one. */
function updateOwnCodecs(
  { before, after, files }: ArtefactChange,
  { codecs }: SettledContract,
): CodecsUpdate | undefined {
  if ([before, after].every((model) => convertedContracts(model).length === 0)) return undefined;
  const text = files.get("codecs.ts")?.text;
  if (text === undefined || codecs === undefined) return { doubt: "it was not written before" };
  return updateCodecs({ before, after, text, settled: codecs });
}

/** Returns the decisions as JSON: all of them are strings, numbers and lists of them. */
function asJson(settled: SettledContract): JsonValue {
  return settled as unknown as JsonValue;
}
