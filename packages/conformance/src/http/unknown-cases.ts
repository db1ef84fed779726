import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { documentsStatus, isSuccessStatus } from "./http-answer.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { anyFindings, detailOf, skipUnjudged } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { listOf } from "../compare/list-of.ts";
import { pathParametersOf, subjectNameOf, subjectParameterOf } from "./operation-shape.ts";
import { unknownIdentifier } from "./unknown-identifier.ts";
import { documentedRefusals, isBesideTheInput, refusals } from "./refusal.ts";

/** Identifiers that are well formed and that nothing has. */
export function planUnknown(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const parameters = pathParametersOf(operation);
  return parameters.flatMap((parameter) => {
    const random = context.session.random.fork(`${operation.name}/negative/unknown-${parameter.property}`);
    const known = (context.observations.get(operation.name) ?? []).map(({ input }) => input[parameter.property]);
    const unknown = unknownIdentifier(parameter, base[parameter.property], known, context.types, random);
    if (unknown === undefined) return [];
    const isDocumented = documentsStatus(operation, 404) || documentsStatus(operation, 410);
    const rule =
      isDocumented && parameters.length === 1 && unknown.isCertain ? httpRules.unknownId : httpRules.unknownIdLikely;
    const input = { ...base, [parameter.property]: unknown.value };
    return [
      caseOf(context, operation, {
        group: "negative",
        name: `${kebabCase(parameter.property)}-unknown`,
        rule,
        expected: isDocumented ? "status 404 as documented" : "a failure, or nothing",
        input,
        play: async (play) => {
          const observation = await ask(context, play, operation, input);
          const isUnknown = isDocumented && (await isUnknownAbove(context, play, observation, parameter));
          return unknownFindings(context, play, observation, {
            name: parameter.name,
            rule: isUnknown ? httpRules.unknownId : rule,
            isDocumented,
            isCertain: unknown.isCertain,
          });
        },
      }),
    ];
  });
}

/** Whether what is told of a thing is told although the very operation that looks the thing up does not find it. */
async function isUnknownAbove(
  context: HttpContext,
  play: CasePlay,
  { operation, input, judged }: Observation,
  parameter: SuiteParameter,
): Promise<boolean> {
  const parameters = pathParametersOf(operation);
  const path = operation.path.slice(0, operation.path.indexOf(`{${parameter.name}}`) + parameter.name.length + 2);
  const above = [...context.operations.values()].find((other) => other.method === "GET" && other.path === path);
  const subject = above === undefined ? undefined : subjectParameterOf(above);
  if (!isSuccessStatus(judged.answer.status) || parameters.length !== 1) return false;
  if (above === undefined || subject === undefined || above === operation || !documentsStatus(above, 404)) return false;
  const isPlain = above.parameters.every((one) => one === subject || !one.required);
  if (!isPlain || !context.session.safety.of(above.name).isSafe) return false;
  const found = await ask(context, play, above, { [subject.property]: input[parameter.property] });
  return found.judged.answer.status === 404;
}

/** Parameters of a query that are tried for what nothing has. */
const mostAsked = 3;

/**
 * A documented 404 of an operation without identifiers in its path is what a query for something that is not there gets: of at least one
 * of the parameters that have to be given.
 */
export function planUnknownInQuery(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
): readonly PlannedCase[] {
  const isAsked = operation.failures.some(({ status }) => status === 404) && operation.method === "GET";
  if (!isAsked || pathParametersOf(operation).length > 0) return [];
  const asked = operation.parameters
    .filter(({ location, required }) => location === "query" && required)
    .flatMap((parameter) => {
      const isTime = armsOf(parameter.type, context.types).some(
        (arm) => (arm.kind === "string" && /^(?:date|time)/.test(arm.format ?? "")) || arm.kind === "number",
      );
      const random = context.session.random.fork(`${operation.name}/negative/unknown-${parameter.property}`);
      const known = (context.observations.get(operation.name) ?? []).map(({ input }) => input[parameter.property]);
      const unknown = unknownIdentifier(parameter, base[parameter.property], known, context.types, random);
      if (isTime || unknown?.isCertain !== true || !isLookedUp(context, operation, parameter)) return [];
      return [{ ...base, [parameter.property]: unknown.value }];
    })
    .slice(0, mostAsked);
  if (asked.length === 0) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name: "query-unknown",
      rule: httpRules.unknownId,
      expected: "status 404 as documented",
      requests: asked.length,
      play: async (play) => {
        const found: Finding[] = [];
        for (const input of asked) {
          const observation = await ask(context, play, operation, input);
          const { status } = observation.judged.answer;
          if (status >= 500) return anyFindings(context, play, observation);
          skipUnjudged(context, play, observation);
          if (status === 404) return observation.judged.findings;
          if (isBesideTheInput(context, operation, status)) return [];
          // Nothing found is an answer too, where a list is asked for.
          if (isSuccessStatus(status) && isNothing(observation.judged.value)) return observation.judged.findings;
          const message = `A query for what nothing has is answered with status ${status} instead of 404`;
          found.push({ rule: httpRules.unknownId, message, ...detailOf(observation), ...withPlace(operation.place) });
        }
        return found.slice(0, 1);
      },
    }),
  ];
}

/** Whether what a parameter takes is what another operation looks up under a path: `station` of `/stations/{station_id}`. */
function isLookedUp(context: HttpContext, operation: SuiteHttpOperation, { name, type }: SuiteParameter): boolean {
  const plain = plainName(name).replace(/(?:id|uuid|slug|code|key|no|number)$/, "");
  return [...context.operations.values()].some((other) => {
    const subject = subjectParameterOf(other);
    if (other === operation || subject === undefined || !documentsStatus(other, 404)) return false;
    return subjectNameOf(other) === plain || (type.kind === "reference" && isSameReference(type, subject.type));
  });
}

function isSameReference(left: SuiteType, right: SuiteType): boolean {
  return left.kind === "reference" && right.kind === "reference" && left.target === right.target;
}

interface Unknown {
  /** Of the parameter. */
  readonly name: string;
  readonly rule: Rule;
  readonly isDocumented: boolean;
  readonly isCertain: boolean;
}

/** The response to a request for what nothing has. */
export function unknownFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  { name, rule, isDocumented, isCertain }: Unknown,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { operation, judged } = observation;
  const { status } = judged.answer;
  const where = withPlace(operation.failures.find((one) => one.status === 404)?.place ?? operation.place);
  if (isSuccessStatus(status)) {
    const isInvented = judged.findings.some(
      (finding) => finding.rule === httpRules.identity || finding.rule === httpRules.linkedIdentity,
    );
    const hasElements = (listOf(judged.value)?.items.length ?? 0) > 0;
    if (isInvented || (isDocumented && hasElements && subjectParameterOf(operation) === undefined)) {
      const message = `A ${name} that nothing has is answered with another object`;
      // Where the description has a failure for it, nothing is guessed.
      const wrong = rule === httpRules.unknownId ? rule : httpRules.inventedObject;
      return [{ rule: wrong, message, ...detailOf(observation), ...where }];
    }
    if (!isDocumented && isNothing(judged.value)) return judged.findings;
    const message = `A ${name} that nothing has is answered with status ${status}${isDocumented ? " instead of 404" : ""}`;
    return [{ rule, message, ...detailOf(observation), ...where }, ...judged.findings];
  }
  if (status >= 500 || status < 400 || !isDocumented) return anyFindings(context, play, observation);
  const isNamed = documentsStatus(operation, status);
  if ((status === 404 || status === 410) && isNamed) return judged.findings;
  if (isBesideTheInput(context, operation, status)) return judged.findings;
  // A checksum, or another rule that no schema tells, may make it a wrong value.
  if (!isCertain && documentedRefusals(operation).includes(status)) return judged.findings;
  const message = `A ${name} that nothing has is answered with status ${status} instead of 404`;
  // Whatever is thought of the value, a failure that the description does not have is not the documented one.
  const isOther = !isNamed && !refusals.some((refusal) => refusal === status) && status !== 404;
  return [{ rule: isOther ? httpRules.unknownId : rule, message, ...detailOf(observation), ...where }];
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === 0) return true;
  const list = listOf(value);
  return list !== undefined ? list.items.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}
