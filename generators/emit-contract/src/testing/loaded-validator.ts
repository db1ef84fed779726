import type { ApiModel } from "@nodewright/model";
import { emitValidators } from "../validators/emit-validators.ts";
import { writeGeneratedFiles } from "./generated-files.ts";

export interface LoadedViolation {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** Both validators of one type, as they were emitted. */
export interface LoadedValidator {
  is(value: unknown): boolean;
  violationsOf(value: unknown, pointer?: string): readonly LoadedViolation[];
}

/** Emits the validators of a model, and loads those of one of its types. */
export async function loadValidator(api: ApiModel, name: string): Promise<LoadedValidator> {
  const module = await writeGeneratedFiles([emitValidators(api)]).load("validators.ts");
  return {
    is: module[`is${name}`] as LoadedValidator["is"],
    violationsOf: module[`violationsOf${name}`] as LoadedValidator["violationsOf"],
  };
}
