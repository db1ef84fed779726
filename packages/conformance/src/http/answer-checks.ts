import { singularOf } from "../inference/singular.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, memberOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import { moreOf, nextTokenOf } from "../inference/page-members.ts";
import type { AnswerCheck, HttpContext, Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";
import { pageLinksOf } from "./page-link.ts";
import { parametersOfRole } from "./parameter-roles.ts";
import { inspectAnswer } from "./property-cases.ts";
import { defaultOf } from "./relation-base.ts";
import { isIdentifier, listOf, textOf } from "../compare/list-of.ts";
import { memberForParameter, memberOfParameter, pathParametersOf, subjectParameterOf } from "./operation-shape.ts";

/** What has to hold within every answer, given what was asked for: it costs no request. */
export const answerChecks: readonly AnswerCheck[] = [
  checkIdentity,
  checkRepeated,
  checkRepeatedPage,
  checkOwner,
  inspectAnswer,
  checkMore,
  checkHeaders,
];

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const obsoleteDate = /^(?:[A-Z][a-z]+day, \d{2}-|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d )/;

/** Headers that HTTP gives a syntax, whatever the description says of them. */
function checkHeaders(_context: HttpContext, { judged }: Observation): readonly Finding[] {
  const isRight: Readonly<Record<string, (text: string) => boolean>> = {
    link: (text) => text.trim() === "" || /^[\s,]*<[^<>]*>/.test(text),
    etag: (text) => entityTag.test(text),
    "last-modified": (text) => httpDate.test(text) || obsoleteDate.test(text),
  };
  return Object.entries(isRight).flatMap(([name, check]): readonly Finding[] => {
    const text = judged.answer.headers.get(name);
    if (text === undefined || check(text)) return [];
    const message = `The header ${name} is not written as HTTP writes it`;
    return [{ rule: httpRules.headerSyntax, message, detail: showValue(text) }];
  });
}

/** The identifier in the path is the one in the body. */
function checkIdentity(context: HttpContext, observation: Observation): readonly Finding[] {
  const { operation, input, judged } = observation;
  const { value } = judged;
  if (operation.method !== "GET" || !isRecord(value)) return [];
  return pathParametersOf(operation).flatMap((parameter): readonly Finding[] => {
    const name =
      memberForParameter(operation, parameter, Object.keys(value), input[parameter.property]) ??
      memberOfParameter(operation, parameter, judged.type, context.types) ??
      context.linkedMembers.get(parameter);
    const wanted = input[parameter.property];
    if (name === undefined || !isIdentifier(wanted)) return [];
    const actual = value[name];
    if (!isIdentifier(actual) || isSameIdentifier(wanted, actual)) return [];
    if (isNameOfAnother(operation, parameter, value) || isShownOtherwise(operation, parameter, name)) return [];
    const place = memberOf(judged.type, name, context.types)?.place;
    const isLinked = context.linkedMembers.get(parameter) === name;
    return [
      {
        rule: isLinked ? httpRules.linkedIdentity : httpRules.identity,
        message: `/${escapeSegment(name)} is not what ${parameter.name} asks for`,
        detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
        pointer: `/${escapeSegment(name)}`,
        ...withPlace(place),
      },
    ];
  });
}

/** Parameters of which an answer may repeat another value than the one that was sent: what was found, or what it was made of. */
const adjustedName =
  /limit|size|count|page|offset|skip|start|cursor|token|after|before|sort|order|fields?|include|expand|lang|locale|format|time|date|since|until|version|status|state|type|kind/;

/** Numbers that are so near may be the next one that a grid, or a number of digits, has. */
const nearNumbers = 0.5;

/** What a query asks about, and the answer repeats under the same name, is what was asked about. */
function checkRepeated(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const { value } = judged;
  if (operation.method !== "GET" || !isRecord(value)) return [];
  return operation.parameters.flatMap((parameter): readonly Finding[] => {
    const { name, location, property } = parameter;
    if (location !== "query" || adjustedName.test(plainName(name))) return [];
    const member = Object.keys(value).find((one) => plainName(one) === plainName(name));
    const wanted = input[property] ?? defaultOf(parameter, context.types);
    if (member === undefined || !isRepeatable(context, parameter) || isShownOtherwise(operation, parameter, member))
      return [];
    const actual = value[member];
    if (!isPlain(wanted) || !isPlain(actual) || isNearly(wanted, actual)) return [];
    const place = memberOf(judged.type, member, context.types)?.place;
    return [
      {
        rule: httpRules.identity,
        message: `/${escapeSegment(member)} is not what ${name} asks for`,
        detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
        pointer: `/${escapeSegment(member)}`,
        ...withPlace(place),
      },
    ];
  });
}

/**
 * Where an answer repeats which part of a list was asked for, it is that part. Sizes are held to it where as many elements are there:
 * others may be how many there are.
 */
function checkRepeatedPage(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const { value } = judged;
  const length = isRecord(value) ? listOf(value)?.items.length : undefined;
  if (operation.method !== "GET" || !isRecord(value) || length === undefined || length === 0) return [];
  return (["page", "offset", "limit"] as const).flatMap((kind) =>
    parametersOfRole(operation, kind, context.types).flatMap((parameter): readonly Finding[] => {
      const wanted = input[parameter.property];
      const member = Object.keys(value).find((one) => plainName(one) === plainName(parameter.name));
      const actual = member === undefined ? undefined : value[member];
      if (member === undefined || typeof wanted !== "number" || typeof actual !== "number" || wanted === actual)
        return [];
      if ((kind === "limit" && length !== wanted) || isShownOtherwise(operation, parameter, member)) return [];
      return [
        {
          rule: httpRules.identity,
          message: `/${escapeSegment(member)} is not what ${parameter.name} asks for`,
          detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
          pointer: `/${escapeSegment(member)}`,
          ...withPlace(memberOf(judged.type, member, context.types)?.place),
        },
      ];
    }),
  );
}

/** Numbers, and texts of few forms: of free text an answer may repeat what it understood. */
function isRepeatable({ types }: HttpContext, { type }: SuiteParameter): boolean {
  return armsOf(type, types).every(
    (arm) =>
      arm.kind === "number" || arm.kind === "enumeration" || (arm.kind === "string" && arm.pattern !== undefined),
  );
}

function isPlain(value: unknown): value is string | number | bigint {
  return isIdentifier(value) || typeof value === "number";
}

function isNearly(wanted: string | number | bigint, actual: string | number | bigint): boolean {
  const [left, right] = [Number(wanted), Number(actual)];
  if (Number.isNaN(left) || Number.isNaN(right)) return isSameIdentifier(wanted, actual);
  return Math.abs(left - right) <= (Number.isInteger(left) && Number.isInteger(right) ? 0 : nearNumbers);
}

/**
 * Whether a member that is called as a parameter may be about something else: where the path goes on to a thing of its own, which the
 * answer doesn't name, the answer is about what that thing leads to. `GET /tx/{txid}/outspend/{vout}` answers with the `txid` of a spender.
 */
function isNameOfAnother(
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const last = pathParametersOf(operation).at(-1);
  if (last === undefined || last === parameter) return false;
  return memberForParameter(operation, last, Object.keys(value)) === undefined;
}

/** Whether the description itself shows that the two are not the same. */
function isShownOtherwise(operation: SuiteHttpOperation, { property }: SuiteParameter, name: string): boolean {
  return operation.examples.some(({ input, outcome }) => {
    if (outcome.kind !== "success" || !isRecord(outcome.value)) return false;
    const [wanted, shown] = [input[property], outcome.value[name]];
    return isIdentifier(wanted) && isIdentifier(shown) && !isSameIdentifier(wanted, shown);
  });
}

/** Names of lists whose elements may be of others than the one that the path names. */
const ofOthers =
  /follow|friend|message|mention|share|invite|notif|transfer|member|participant|related|similar|spen|ancest|descend|parent|child|sibling|neighbo|uncle|ommer|successor|predecessor|next|prev/i;

/** Elements of `/products/{productId}/reviews` that have a name of their own, and a `productId`, have this one. */
function checkOwner(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const match = /\/([^/{}]+)\/\{([^{}]*)\}\/([^/{}]+)\/?$/.exec(operation.path);
  const parameter = match === null ? undefined : pathParametersOf(operation).find(({ name }) => name === match[2]);
  if (match === null || parameter === undefined || ofOthers.test(match[3] ?? "")) return [];
  const list = listOf(judged.value);
  const wanted = input[parameter.property];
  if (!isIdentifier(wanted)) return [];
  const owner = singularOf(plainName(match[1] ?? ""));
  const plain = plainName(parameter.name);
  // `/blocks/{height}/transactions` lists what has a `block_height`.
  const ownerName = plain.startsWith(owner) ? plain : `${owner}${plain}`;
  for (const item of list?.items ?? []) {
    if (!isRecord(item)) continue;
    const name = Object.keys(item).find((one) => plainName(one) === ownerName);
    const actual = name === undefined ? undefined : item[name];
    if (name === undefined || !isIdentifier(actual) || isSameIdentifier(wanted, actual)) continue;
    if (!hasOwnName(context, operation, Object.keys(item), name)) continue;
    const pointer = `${list?.pointer ?? ""}/*/${escapeSegment(name)}`;
    const message = `${pointer} is not what ${parameter.name} asks for`;
    const detail = `${showValue(actual)}, asked for ${showValue(wanted)}`;
    return [{ rule: httpRules.identity, message, detail, pointer, ...withPlace(operation.place) }];
  }
  return [];
}

/** Whether an element has a name of its own, beside that of its owner: `id`, `reviewId`, or what looks it up at `/reviews/{code}`. */
function hasOwnName(
  { operations }: HttpContext,
  { path }: SuiteHttpOperation,
  names: readonly string[],
  owner: string,
): boolean {
  const things = path.split("/").findLast((segment) => segment !== "") ?? "";
  const own = new Set(["id", `${singularOf(plainName(things))}id`]);
  for (const other of operations.values()) {
    const subject = subjectParameterOf(other);
    if (subject !== undefined && other.path.endsWith(`/${things}/{${subject.name}}`)) own.add(plainName(subject.name));
  }
  return names.some((name) => name !== owner && own.has(plainName(name)));
}

/** Hexadecimal and names may be spelt in either case, and `latest` stands for a number. */
function isSameIdentifier(wanted: string | number | bigint, actual: string | number | bigint): boolean {
  const [left, right] = [textOf(wanted).toLowerCase(), textOf(actual).toLowerCase()];
  if (left === right || left.replace(/^0x/, "") === right.replace(/^0x/, "")) return true;
  const isWord = !/\d/.test(left);
  const isOtherKind = /^\d+$/.test(left) !== /^\d+$/.test(right);
  if (isWord && isOtherKind) return true;
  // One thing may have identifiers of several kinds, of which a path takes any: a height or a hash, a name or a number.
  return isOtherKind;
}

/** What says whether there is more agrees with what leads there. */
function checkMore(context: HttpContext, told: Observation): readonly Finding[] {
  const { operation, judged } = told;
  const said = moreOf(judged.value);
  const link = pageLinksOf(told).body.get("next");
  const place = withPlace(operation.place);
  if (said === false && typeof link === "string") {
    const message = "The body says that there is no more, and links to the next page";
    return [{ rule: httpRules.pages, message, detail: link, ...place }];
  }
  const isCounted = (["offset", "page"] as const).some(
    (kind) => parametersOfRole(operation, kind, context.types).length > 0,
  );
  if (said !== true || isCounted || link !== null || nextTokenOf(judged.value) !== undefined) return [];
  const message = "The body says that there is more, and that there is no next page";
  return [{ rule: httpRules.pages, message, ...place }];
}
