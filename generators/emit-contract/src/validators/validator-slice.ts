import type { ApiModel } from "@nodewright/model";
import { needsCodec } from "@nodewright/output";
import { contractsOfOperations } from "../contract-types.ts";
import { referredTypes } from "../type-facts.ts";
import { losslessTypes, withFacts } from "./emit-validators.ts";
import { normalModel, normalType } from "./normal-type.ts";
import type { ValidatedType } from "./validator-functions.ts";

/** The types of some operations with the model that contains everything that they refer to. */
export interface Slice {
  readonly model: ApiModel;
  readonly types: readonly ValidatedType[];
  /** Names of the declarations whose numbers are read without loss because of these types. */
  readonly lossless: ReadonlySet<string>;
}

export function sliceOf(given: ApiModel): Slice {
  const model = normalModel(given);
  const contracts = contractsOfOperations(model).map((contract) => ({
    ...contract,
    type: normalType(contract.type, model),
  }));
  const converted = contracts.filter(({ type }) => needsCodec(type, model)).map(({ type }) => type);
  return {
    model,
    types: withFacts(contracts, model, losslessTypes(contracts, model)),
    lossless: referredTypes(converted, model),
  };
}
