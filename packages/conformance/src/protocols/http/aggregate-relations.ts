import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { timeBoundOf } from "../../compare/range-role.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { armsOf, membersOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import { httpRules } from "./http-rules.ts";
import { answerTypeOf } from "./operation-shape.ts";
import { roleOf } from "./parameter-roles.ts";
import { baseInputOf, firstValid, observe, observeNow } from "./relation-base.ts";

/** Moments behind and before all that anybody counts. */
const beyond = { minimum: "2150-01-01", maximum: "1850-01-01" };

/** What counts things of a time counts none of a time when there was nothing. */
export function planAggregates(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  const counter = counterOf(operation, context.types);
  if (base === undefined || counter === undefined || operation.method !== "GET") return [];
  return operation.parameters.flatMap((parameter): readonly PlannedCase[] => {
    const kind =
      parameter.required || roleOf(operation, parameter, context.types).kind !== "none"
        ? undefined
        : timeBoundOf(parameter.name, parameter.type, context.types);
    const hasHours = armsOf(parameter.type, context.types).some(
      (arm) => arm.kind === "string" && arm.format === "date-time",
    );
    const ending = hasHours ? "T00:00:00Z" : "";
    const value = kind === undefined ? undefined : firstValid(parameter, [`${beyond[kind]}${ending}`], context.types);
    if (kind === undefined || value === undefined) return [];
    const input = { ...base, [parameter.property]: value };
    const rule = parameter.includesBound === true ? httpRules.effect : httpRules.effectLikely;
    return [
      caseOf(context, operation, {
        group: "relation",
        name: `beyond-${kebabCase(parameter.name)}`,
        rule,
        expected: `another ${counter} where ${parameter.name} leaves nothing to count`,
        requests: 3,
        isLive: true,
        input,
        play: async (play) => {
          const whole = await observe(context, play, operation, base);
          const none = await ask(context, play, operation, input);
          // A time so far away may be refused.
          if (none.judged.kind !== "success")
            return successFindings(context, play, none, propertyRules.validInputLikely);
          if (!isSameCount(whole, none, counter)) return none.judged.findings;
          if (!isSameCount(await observeNow(context, play, operation, base), none, counter))
            return none.judged.findings;
          return [...none.judged.findings, ignoredFinding(parameter, counter, rule)];
        },
      }),
    ];
  });
}

function ignoredFinding(parameter: SuiteParameter, counter: string, rule: Finding["rule"]): Finding {
  const message = `${counter} is the same whatever ${parameter.name} says`;
  return {
    rule,
    message,
    detail: "with a time that nothing is of",
    ...withPlace(parameter.place ?? parameter.type.place),
  };
}

/** The member of an answer that says how many things it tells of; undefined for a list, and where none does. */
function counterOf(operation: SuiteHttpOperation, types: SuiteTypes): string | undefined {
  if (isPagedList(operation, types)) return undefined;
  const counted = membersOf(answerTypeOf(operation), types).filter(({ type }) =>
    armsOf(type, types).some((arm) => arm.kind === "number" && arm.integer),
  );
  return counted.find(({ name }) => /^(?:count|total|totalcount|number)$/.test(plainName(name)))?.name;
}

function isPagedList(operation: SuiteHttpOperation, types: SuiteTypes): boolean {
  return operation.parameters.some((one) => ["page", "offset", "cursor"].includes(roleOf(operation, one, types).kind));
}

/** Whether both answers count the same, and something. */
function isSameCount(left: Observation, right: Observation, counter: string): boolean {
  const [first, second] = [left, right].map(({ judged }) =>
    isRecord(judged.value) ? judged.value[counter] : undefined,
  );
  return typeof first === "number" && first > 0 && first === second;
}
