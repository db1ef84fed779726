import { isEqualJson } from "@nodewright/api-model";
import type { Input, Operation } from "../../properties/operation.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { planBetweenSeen } from "../../properties/plan-operation.ts";
import { effectProperty } from "../../properties/effect.ts";
import { fieldOperation } from "./input-cases.ts";
import { isSingle } from "./field-names.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { askAgain, propertyOperation } from "./field-operation.ts";
import { typeOf } from "./field-types.ts";
import { casesOf } from "./property-cases.ts";

/** Relations between root fields, by the operation of the field that a case belongs to. */
export function relationCasesOf(run: GraphqlRun): ReadonlyMap<string, readonly PlannedCase[]> {
  const bases = new Map([...run.bases.values()].map((base) => [base.field.name, base]));
  const operations = [...bases.values()].map(
    (base) => [fieldOperation(run, base), relatedOperation(run, base)] as const,
  );
  return Map.groupBy(planBetweenSeen(operations), ({ operation }) => operation);
}

/** What arguments of a root field change in what it returns. */
export function planEffects(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  return casesOf(run, base, describedOperation(run, base), effectProperty);
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
