import type { ApiModel } from "@nodewright/model";
import { needsCodec } from "../names/contract-facts.ts";
import { contractsOfOperations } from "../contract/contract-types.ts";
import { referredTypes } from "../contract/type-facts.ts";
import { losslessTypes, withFacts } from "../validators/emit-validators.ts";
import { normalModel, normalType } from "../validators/normal-type.ts";
import type { ValidatedType } from "../validators/validator-functions.ts";

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
