import { escapeSegment, isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { isSameValue } from "../../compare/differences.ts";
import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { caseOf, type HttpContext, type Observation } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { listOf } from "../../compare/list-of.ts";
import { type Filter, filterFinding } from "./list-filter.ts";
import { baseInputsOf, observeNow } from "./relation-base.ts";

export function planInclude(context: HttpContext, filter: Filter): PlannedCase {
  const { operation, parameter, member } = filter;
  const [first, second] = baseInputsOf(context, operation);
  const inputs = [first, second].filter((input) => input !== undefined);
  return caseOf(context, operation, {
    group: "relation",
    name: `include-${kebabCase(parameter.name)}`,
    rule: httpRules.effect,
    expected: `${member.name} where ${parameter.name} is true, and none where it is false`,
    requests: inputs.length * 2,
    isLive: true,
    play: async (play) => {
      let differ = false;
      let isSeen = false;
      let isTurned = false;
      const found: Finding[] = [];
      for (const input of inputs) {
        const off = await observeNow(context, play, operation, { ...input, [parameter.property]: false });
        const on = await observeNow(context, play, operation, { ...input, [parameter.property]: true });
        found.push(...off.judged.findings, ...on.judged.findings);
        isTurned ||= holds(off.judged.value, member.name) && !holds(on.judged.value, member.name);
        isSeen ||= holds(off.judged.value, member.name) || holds(on.judged.value, member.name);
        differ ||= !isSameValue(off.judged.type, off.judged.value, on.judged.value, context.types);
      }
      if (isTurned) {
        const turned = `/${escapeSegment(member.name)} is there where ${parameter.name} is false, and not where it is true`;
        return [...found, filterFinding(httpRules.effect, turned, "the other way round", filter)];
      }
      if (differ) return found;
      const isShown = operation.examples.some(
        ({ input, outcome }) =>
          outcome.kind === "success" && input[parameter.property] === true && holds(outcome.value, member.name),
      );
      if (!isSeen && !isShown) return found;
      const message = `The answer is the same whatever ${parameter.name} says`;
      return [...found, filterFinding(httpRules.effect, message, "with true and with false", filter)];
    },
  });
}

/** Where `verbose` is true, an answer says no less than where it is false; `brief` is the other way round. */
export function planVerbose(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  const isBoolean = armsOf(parameter.type, context.types).every(({ kind }) => kind === "boolean");
  const plain = plainName(parameter.name);
  if (!isBoolean || plain === "raw") return [];
  const full = !/^(?:brief|summary|short|compact)$/.test(plain);
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `verbose-${kebabCase(parameter.name)}`,
      rule: httpRules.effect,
      expected: `no fewer members where ${parameter.name} is ${full} than where it is ${!full}`,
      requests: 2,
      isLive: true,
      play: async (play) => {
        const less = await observeNow(context, play, operation, { ...base, [parameter.property]: !full });
        const more = await observeNow(context, play, operation, { ...base, [parameter.property]: full });
        const [few, many] = [memberNamesOf(less), memberNamesOf(more)];
        const isTurned = many.size < few.size && [...many].every((name) => few.has(name));
        if (!isTurned) return [...less.judged.findings, ...more.judged.findings];
        const message = `The answer says less where ${parameter.name} is ${full} than where it is ${!full}`;
        const place = withPlace(parameter.place ?? parameter.type.place);
        return [{ rule: httpRules.effect, message, ...place }];
      },
    }),
  ];
}

function memberNamesOf({ judged }: Observation): ReadonlySet<string> {
  const [first] = listOf(judged.value)?.items ?? [];
  const object = isRecord(first) ? first : judged.value;
  return new Set(isRecord(object) ? Object.keys(object) : []);
}

/** Whether an object, or an element of its list, has a member that says something. */
function holds(value: unknown, name: string): boolean {
  const objects = isRecord(value) ? [value, ...(listOf(value)?.items ?? [])] : (listOf(value)?.items ?? []);
  return objects.some((one) => isRecord(one) && one[name] !== undefined && one[name] !== null);
}
