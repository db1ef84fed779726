import type { Emitter } from "@nodewright/model";
import { emitTypes } from "./types/emit-types.ts";
import { emitValidators } from "./validators/emit-validators.ts";

/** Emits `types.ts`, `validators.ts`, and `codecs.ts` where wire and memory differ. */
export const emitContract: Emitter = {
  name: "contract",
  emit: ({ model }) => ({ files: [emitTypes(model), emitValidators(model)] }),
};
