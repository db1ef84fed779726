import type { ArtefactEmitter } from "@nodewright/model";
import { emitCodecs } from "./codecs/emit-codecs.ts";
import { emitTypes } from "./types/emit-types.ts";
import { emitValidators } from "./validators/emit-validators.ts";

/** Emits `types.ts`, `validators.ts`, and `codecs.ts` where wire and memory differ. */
export const emitContract: ArtefactEmitter = {
  name: "contract",
  emit: ({ model }) => {
    const codecs = emitCodecs(model);
    const files = [emitTypes(model), emitValidators(model)];
    return { files: codecs === undefined ? files : [...files, codecs] };
  },
};

/** Emits `types.ts` and nothing that runs. */
export const emitTypesAlone: ArtefactEmitter = {
  name: "types",
  emit: ({ model }) => ({ files: [emitTypes(model, { hasFailures: false })] }),
};
