import type { SettledRequests, SettledUnit } from "../contract/requests.ts";
import type { SettledStructures } from "../contract/structure.ts";
import type { PartFunction } from "./validator-scope.ts";

/** Decisions that were made while a `validators.ts` was written, as JSON: enough to rewrite a part of it. */
export interface SettledValidators {
  readonly structures: SettledStructures;
  readonly mindsEvaluation: boolean;
  readonly madeTypes: number;
  /** Asserted formats, in the order of their imports. */
  readonly formats: readonly string[];
  /** Types in file order, as in all lists here. */
  readonly types: readonly SettledType[];
  readonly constants: readonly SettledConstant[];
  readonly parts: readonly SettledPart[];
  readonly requests: SettledRequests;
  /** Characters of the functions with a fixed text, which are last. */
  readonly helperLength: number;
}

/** The facts that decide how other functions of the file use a type. */
export interface TypeFacts {
  readonly name: string;
  readonly structure: number;
  readonly isLossless: boolean;
  readonly isDeep: boolean;
  /** Whether its check is a type predicate, so that the type is imported. */
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
