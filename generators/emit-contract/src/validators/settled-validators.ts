import type { SettledRequests, SettledUnit } from "../requests.ts";
import type { SettledStructures } from "./structure.ts";
import type { PartFunction } from "./validator-scope.ts";

/** What was settled while a `validators.ts` was written, as JSON: enough to write a part of it again. */
export interface SettledValidators {
  readonly structures: SettledStructures;
  readonly mindsEvaluation: boolean;
  readonly madeTypes: number;
  /** Asserted formats, in the order of their imports. */
  readonly formats: readonly string[];
  /** In the order of the file, as are all lists. */
  readonly types: readonly SettledType[];
  readonly constants: readonly SettledConstant[];
  readonly parts: readonly SettledPart[];
  readonly requests: SettledRequests;
  /** Characters of the functions of a fixed text, which stand last. */
  readonly helperLength: number;
}

/** What decides how others in the file look at a type. */
export interface TypeFacts {
  readonly name: string;
  readonly structure: number;
  readonly isLossless: boolean;
  readonly isDeep: boolean;
  /** Whether its check narrows what it is given, so that the type is imported. */
  readonly isPredicate: boolean;
}

export interface SettledType extends TypeFacts {
  readonly unit: SettledUnit;
}

interface SettledConstant {
  readonly key: string;
  readonly name: string;
  readonly unit: SettledUnit;
}

export interface SettledPart {
  readonly key: string;
  readonly purpose: PartFunction["purpose"];
  readonly name: string;
  readonly path: string;
  readonly unit: SettledUnit;
}
