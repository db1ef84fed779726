import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { isComplete, widest } from "./list-filter.ts";
import { planInclude, planVerbose } from "./include-relations.ts";
import { type ParameterRole, roleOf } from "./parameter-roles.ts";
import { baseInputOf, isIn, itemsOf, observe, observeNow } from "./relation-base.ts";

/** Parameters that add members, or let more or fewer elements through: what they are called after says what they do. */
export function planFilters(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  return operation.parameters.flatMap((parameter): readonly PlannedCase[] => {
    if (parameter.required) return [];
    const role = roleOf(operation, parameter, context.types);
    switch (role.kind) {
      case "include":
        return [planInclude(context, { operation, base, parameter, member: role.member })];
      case "narrow":
      case "widen":
        return [planPart(context, { operation, base, parameter, role })];
      case "verbose":
        return planVerbose(context, operation, base, parameter);
      default:
        return [];
    }
  });
}

interface Part {
  readonly operation: SuiteHttpOperation;
  readonly base: Input;
  readonly parameter: SuiteParameter;
  readonly role: Extract<ParameterRole, { kind: "narrow" | "widen" }>;
}

/** `only_open=true` lists a part of what `only_open=false` lists, `include_closed=false` one of what `include_closed=true` lists. */
function planPart(context: HttpContext, { operation, base, parameter, role }: Part): PlannedCase {
  const { member } = role;
  const isNarrow = role.kind === "narrow";
  const given = (value: boolean): Input => ({
    ...base,
    ...widest(context, operation),
    [parameter.property]: value,
  });
  return caseOf(context, operation, {
    group: "relation",
    name: `part-${kebabCase(parameter.name)}`,
    rule: httpRules.part,
    expected: `where ${parameter.name} is ${isNarrow} a part of what is listed where it is ${!isNarrow}`,
    requests: 3,
    isLive: true,
    play: async (play) => {
      const part = await ask(context, play, operation, given(isNarrow));
      const found = successFindings(context, play, part, propertyRules.validInput);
      if (part.judged.kind !== "success") return found;
      const finding = (message: string, count: number): readonly Finding[] => {
        const detail = `${count} of ${itemsOf(part).length}`;
        return [
          ...found,
          { rule: httpRules.part, message, detail, ...withPlace(parameter.place ?? parameter.type.place) },
        ];
      };
      if (member !== undefined) {
        const isOther = (item: unknown): boolean => isRecord(item) && item[member.name] === !isNarrow;
        const others = itemsOf(part).filter(isOther).length;
        const message = `There are elements whose ${member.name} is ${!isNarrow} where ${parameter.name} is ${isNarrow}`;
        if (others > 0) return finding(message, others);
      }
      const whole = await observe(context, play, operation, given(!isNarrow));
      if (!isComplete(context, operation, whole)) return found;
      const beyond = (all: Observation): number =>
        itemsOf(part).filter((item) => !isIn(context, operation, item, itemsOf(all))).length;
      if (beyond(whole) === 0) return found;
      const again = beyond(await observeNow(context, play, operation, whole.input));
      const message = `There are elements where ${parameter.name} is ${isNarrow} that are not there where it is ${!isNarrow}`;
      return again === 0 ? found : finding(message, again);
    },
  });
}
