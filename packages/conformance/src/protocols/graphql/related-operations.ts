import { isEqualJson } from "@nodewright/api-model";
import type { Input, Operation } from "../../properties/operation.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { planRelations } from "../../properties/plan-relations.ts";
import { effectProperty } from "../../properties/effect.ts";
import { crossProperties } from "../../properties/properties.ts";
import { isSingle } from "./field-names.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { askAgain, propertyOperation } from "./field-operation.ts";
import { typeOf } from "./field-types.ts";
import { caseOf, casesOf } from "./property-cases.ts";

/** Relations between root fields, by the operation of the field that a case belongs to. */
export function relationCasesOf(run: GraphqlRun): ReadonlyMap<string, readonly PlannedCase[]> {
  const bases = new Map([...run.bases.values()].map((base) => [base.field.name, base]));
  const operations = [...bases.values()].map((base) => relatedOperation(run, base));
  const cases = planRelations(operations, crossProperties, true).flatMap((one): readonly PlannedCase[] => {
    const base = bases.get(one.operation.name);
    return base === undefined ? [] : [caseOf(base.operation, one.name, one, 3)];
  });
  return Map.groupBy(cases, ({ operation }) => operation);
}

/** What arguments of a root field change in what it returns. */
export function planEffects(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  return casesOf(base, describedOperation(run, base), [effectProperty]);
}

/** A root field with all that was selected of it. */
function describedOperation(run: GraphqlRun, base: BaseAnswer): Operation {
  const operation = propertyOperation(run, base, undefined);
  return {
    ...operation,
    result: typeOf(base.field.type),
    isSelective: true,
    isOfOne: isSingle(base.field),
    known: operation.known.map(({ input }) => ({ input, value: base.value })),
  };
}

/** A root field as relations see it: what was returned is not called for again. */
function relatedOperation(run: GraphqlRun, base: BaseAnswer): Operation {
  const operation = describedOperation(run, base);
  const [known] = operation.known;
  return {
    ...operation,
    call: async (play, inputs, options) => {
      const isKnown = (input: Input): boolean => isEqualJson(input, known?.input);
      const others = inputs.filter((input) => !isKnown(input));
      const outcomes = others.length === 0 ? [] : await operation.call(play, others, options);
      const earlier = { findings: [], results: [{ value: base.value }] };
      const again =
        options.allowsEarlier || others.length === inputs.length ? earlier : await askAgain(run, base, play);
      return inputs.map((input) => (isKnown(input) ? again : outcomes[others.indexOf(input)]) ?? { findings: [] });
    },
  };
}
