import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { type DeclaredAbsence, planNotFound } from "../../properties/not-found.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { documentsStatus } from "./http-answer.ts";
import { failedCall } from "./failed-call.ts";
import { ask, caseOf, type HttpContext } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { pathParametersOf, subjectNameOf, subjectParameterOf } from "./operation-shape.ts";

/** Identifiers in a path, and in a query that looks something up, that are well formed and that nothing has. */
export function planUnknown(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const inPath = pathParametersOf(operation);
  const cases = planNotFound({
    types: context.types,
    ...withPlace(operation.place),
    identifiers: inPath.length > 0 ? inPath : lookedUpIn(context, operation),
    base,
    random: context.session.random.fork(`${operation.name}/negative`),
    known: ({ property }) => (context.observations.get(operation.name) ?? []).map(({ input }) => input[property]),
    declared: () => declaredAbsence(operation, inPath.length === 1),
    call: async (play, input) => await failedCall(context, operation, play, input),
    isAbsent: async (play, { name }, value) => await isAbsentAbove(context, operation, play, name, value),
  });
  return cases.map((one) => caseOf(context, operation, { ...one, group: "negative" }));
}

function declaredAbsence(operation: SuiteHttpOperation, isOwn: boolean): DeclaredAbsence | undefined {
  const codes = [404, 410].filter((one) => documentsStatus(operation, one));
  const [status] = codes;
  if (status === undefined) return undefined;
  const failure = operation.failures.find((one) => one.status === status);
  return { text: `status ${status}`, codes, isOwn, ...withPlace(failure?.place) };
}

/** Whether the operation that looks up what a path is below does not find it: `/pets/{petId}` of `/pets/{petId}/visits`. */
async function isAbsentAbove(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  name: string,
  value: unknown,
): Promise<boolean> {
  const path = operation.path.slice(0, operation.path.indexOf(`{${name}}`) + name.length + 2);
  const above = [...context.operations.values()].find((other) => other.method === "GET" && other.path === path);
  const subject = above === undefined ? undefined : subjectParameterOf(above);
  if (above === undefined || subject === undefined || above === operation || !documentsStatus(above, 404)) return false;
  const isPlain = above.parameters.every((one) => one === subject || !one.required);
  if (!isPlain || !context.session.safety.of(above.name).isSafe) return false;
  const found = await ask(context, play, above, { [subject.property]: value });
  return found.judged.answer.status === 404;
}

/** Required parameters of a query that name what another operation looks up under a path: `station` of `/stations/{station_id}`. */
function lookedUpIn(context: HttpContext, operation: SuiteHttpOperation): readonly SuiteParameter[] {
  if (operation.method !== "GET" || !documentsStatus(operation, 404)) return [];
  return operation.parameters.filter(({ location, required, name, type }) => {
    const isCounted = armsOf(type, context.types).some(
      (arm) => (arm.kind === "string" && /^(?:date|time)/.test(arm.format ?? "")) || arm.kind === "number",
    );
    if (location !== "query" || !required || isCounted) return false;
    const plain = plainName(name).replace(/(?:id|uuid|slug|code|key|no|number)$/, "");
    return [...context.operations.values()].some((other) => {
      const subject = subjectParameterOf(other);
      if (other === operation || subject === undefined || !documentsStatus(other, 404)) return false;
      return subjectNameOf(other) === plain || isSameReference(type, subject.type);
    });
  });
}

function isSameReference(left: SuiteType, right: SuiteType): boolean {
  return left.kind === "reference" && right.kind === "reference" && left.target === right.target;
}
