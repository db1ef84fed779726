import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import { getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { keyArguments } from "./field-cases.ts";
import { isSingle } from "./field-names.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import type { GraphqlResponse } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { smallSelection } from "./small-selection.ts";
import { type FieldSelection, type GivenArgument, trimmed, writeQuestion } from "./selection.ts";
import { isSame } from "./is-same.ts";

/** What does not exist beside what does: it is not found, says where it failed, and takes nothing with it. */
export function planMissingObject(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation } = base;
  const given = base.selection.arguments ?? [];
  const key = given.find(({ value }) => typeof value === "string" || typeof value === "number");
  if (!isSingle(field) || key === undefined || isChoice(key) || inventedFor(key) === undefined) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${kebab(key.name)}-of-nothing`,
      rule: graphqlRules.siblings,
      expected: "null or an error for what does not exist, and the answer for what stands beside it",
      play: (play) => playMissing(run, base, key, play),
    }),
  ];
}

/** Where the description promises null for what is not there, an error is none. */
function missingFindings(field: BaseAnswer["field"], response: GraphqlResponse): readonly Finding[] {
  const errors = response.errors.filter(({ path }) => path?.length === 1 && path[0] === "notThere");
  const isPromised = /\bnull (?:when|if|where|unless|for)\b[^.;]*\b(?:none|no|not|unknown|never|exists?)\b/i.test(
    field.description ?? "",
  );
  if (errors.length === 0 || !isPromised || isNonNullType(field.type)) return [];
  // A made-up key may be one that can't be: only what is said not to be there is meant.
  const says = errors.map((error) => `${error.message} ${String(error.extensions["code"] ?? "")}`).join();
  const isAbsent = /not[ _-]?found|no such|does(?:n't| not) exist/i.test(says);
  if (!isAbsent && refusalOf({ ...response, errors }) !== "unknown") return [];
  const message = `${field.name} is answered with an error where there is nothing, and not with null`;
  return [
    { rule: propertyRules.validInput, message, detail: errors[0]?.message ?? "", ...withPlace(placeOf(field.astNode)) },
  ];
}

function isChoice({ type }: GivenArgument): boolean {
  return (
    !["ID", "String", "Int"].includes(getNamedType(type).name) &&
    getNamedType(type).astNode?.kind === "EnumTypeDefinition"
  );
}

async function playMissing(
  run: GraphqlRun,
  base: BaseAnswer,
  key: GivenArgument,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { field, selection } = base;
  const place = withPlace(placeOf(field.astNode));
  const invented = inventedFor(key);
  const fine: FieldSelection = { ...selection, alias: "there", selections: smallSelection(run, base) };
  const others = (selection.arguments ?? []).filter(({ name }) => name !== key.name);
  const missing: FieldSelection = { ...fine, alias: "notThere", arguments: [...others, { ...key, value: invented }] };
  const held = await run.ask(play, writeQuestion([missing, fine]));
  const { response, data } = held;
  if (!response.hasData) return play.skip("The target refuses what was made up");
  // Whether a value is one of the schema's own scalars is decided before a field is come to; some servers send data all the same.
  const isRefused = response.data === null && response.errors.every(({ path }) => path === undefined);
  if (isRefused && !isBuiltInScalar(key)) return play.skip("The target refuses what was made up");
  const findings: Finding[] = [...held.findings, ...missingFindings(field, response)];
  for (const error of response.errors) {
    const [start] = error.path ?? [];
    if (start === "notThere") continue;
    const rule = graphqlRules.failedFieldPath;
    const message =
      start === undefined
        ? "The error of a field that failed has no path"
        : "The error of a field that failed has the path of another";
    findings.push({ rule, message: `${field.name}: ${message}`, detail: error.message, ...place });
  }
  const canFail = !isNonNullType(field.type);
  if (data === undefined) {
    if (canFail)
      findings.push({
        rule: graphqlRules.siblings,
        message: `${field.name} fails, and takes what stands beside it with it`,
        ...place,
      });
    return uniqueFindings(findings);
  }
  if (data["there"] === null && base.value !== null) {
    findings.push({
      rule: graphqlRules.siblings,
      message: `${field.name} is null where another one beside it fails`,
      ...place,
    });
  }
  const found = data["notThere"];
  if (isRecord(found) && Object.hasOwn(found, key.name)) {
    const echoed = found[key.name];
    if (isSame(echoed, invented)) {
      findings.push({
        rule: propertyRules.notFoundGuessed,
        message: `${field.name} finds an object by a made-up ${key.name}`,
        ...place,
      });
    } else if (getNamedType(key.type).name === getNamedType(memberType(run, field, key.name) ?? key.type).name) {
      findings.push({
        rule: graphqlRules.echo,
        message: `${field.name} answers an object with another ${key.name} than was asked for`,
        detail: `${showValue(echoed)} for ${showValue(invented)}`,
        ...place,
      });
    }
  } else if (isRecord(found) && isRecord(data["there"]) && isSame(found, data["there"])) {
    findings.push({
      rule: graphqlRules.arguments,
      message: `${field.name} is the same whatever ${key.name} is`,
      ...place,
    });
  }
  return uniqueFindings(findings);
}

function memberType(run: GraphqlRun, field: BaseAnswer["field"], name: string): GivenArgument["type"] | undefined {
  const type = run.schema.getType(getNamedType(field.type).name);
  const member = isObjectType(type) ? type.getFields()[name] : undefined;
  return member === undefined ? undefined : (getNullableType(member.type) as GivenArgument["type"]);
}

function isBuiltInScalar({ type }: GivenArgument): boolean {
  return ["ID", "Int", "Float", "String", "Boolean"].includes(getNamedType(type).name);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value of the same look that hardly anything has; undefined where the form of a scalar can't be told from one value. */
export function inventedFor(given: GivenArgument): unknown {
  const { value } = given;
  if (typeof value === "string" && uuid.test(value)) return "dededede-dede-4ede-8ede-dededededede";
  if (typeof value === "number") return 2_147_483_600;
  if (typeof value !== "string") return value;
  const hexadecimal = /^(0x)?([0-9a-fA-F]+)$/.exec(value);
  if (hexadecimal?.[2] !== undefined && hexadecimal[2].length >= 8) {
    return `${hexadecimal[1] ?? ""}${"de".repeat(hexadecimal[2].length).slice(0, hexadecimal[2].length)}`;
  }
  if (hexadecimal?.[1] !== undefined) return "0x7fffff00";
  if (/^[0-9]+$/.test(value)) return "2147483600";
  return isBuiltInScalar(given) ? `nodewright-${value}` : undefined;
}

/** Lists that should differ for texts that differ. */
export function planSearch(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation, selection } = base;
  const texts = (selection.arguments ?? []).filter(
    ({ type, value }) => typeof value === "string" && getNamedType(type).name === "String",
  );
  const [text] = texts;
  if (!isListType(getNullableType(field.type)) || text === undefined) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${kebab(text.name)}-of-nothing`,
      rule: graphqlRules.arguments,
      expected: "another answer for a text that is nowhere",
      play: async (play) => {
        const small: FieldSelection = { ...selection, selections: trimmed(selection.selections) };
        const other: FieldSelection = {
          ...small,
          alias: "nowhere",
          arguments: (selection.arguments ?? []).map((one) =>
            one === text ? { ...one, value: "nodewright nowhere" } : one,
          ),
        };
        const held = await run.ask(play, writeQuestion([small, other]));
        const [plain, nowhere] = [held.data?.[small.name], held.data?.["nowhere"]];
        if (!Array.isArray(plain) || plain.length === 0 || !Array.isArray(nowhere)) return held.findings;
        if (!isSame(plain, nowhere)) return held.findings;
        const message = `${field.name} is the same whatever ${text.name} is`;
        return [...held.findings, { rule: graphqlRules.arguments, message, ...withPlace(placeOf(field.astNode)) }];
      },
    }),
  ];
}

/** `transactionAt(index:)` beside `transactions`: what is at the position is what the list has there. */
export function planPosition(run: GraphqlRun, site: FieldSite, isRoot: boolean): readonly PlannedCase[] {
  const { field, parentType, operation } = site;
  const match = /^(.+)(?:At|ByIndex|AtIndex)$/.exec(field.name);
  const index = field.args.find(({ name }) => ["index", "position", "at", "i"].includes(name));
  const type = run.schema.getType(parentType);
  if (match?.[1] === undefined || index === undefined || field.args.length > 1 || !isObjectType(type)) return [];
  const list = [`${match[1]}s`, `${match[1].replace(/y$/, "ie")}s`, `${match[1]}es`]
    .map((name) => type.getFields()[name])
    .find((one) => one !== undefined && one.args.length === 0 && isListType(getNullableType(one.type)));
  if (list === undefined || getNamedType(list.type) !== getNamedType(field.type)) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${isRoot ? "" : `${kebab(parentType)}-`}${kebab(field.name)}`,
      rule: graphqlRules.position,
      expected: `the element of ${list.name} at that position`,
      play: async (play) => {
        const selections = trimmed(site.selection.selections);
        const at = (alias: string, value: number): FieldSelection => ({
          kind: "field",
          name: field.name,
          alias,
          arguments: [{ name: index.name, type: index.type, value, isLiteral: true }],
          selections,
        });
        const whole: FieldSelection = { kind: "field", name: list.name, alias: "whole", selections };
        const held = await run.ask(play, writeQuestion(site.wrap([whole, at("first", 0), at("second", 1)])));
        if (held.data === undefined) return play.skip("The target does not answer this");
        const findings: Finding[] = [...held.findings];
        for (const parent of site.parentsIn(held.data)) {
          const elements = parent["whole"];
          if (!Array.isArray(elements)) continue;
          for (const [position, name] of ["first", "second"].entries()) {
            const element: unknown = elements[position] ?? null;
            if (isSame(element, parent[name])) continue;
            const message = `${field.name} is not what ${list.name} has at that position`;
            findings.push({
              rule: graphqlRules.position,
              message,
              detail: String(position),
              ...withPlace(placeOf(field.astNode)),
            });
          }
        }
        return uniqueFindings(findings);
      },
    }),
  ];
}

/** Two objects by their own keys in one answer: each is the one that was asked for. */
export function planSeveral(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation } = base;
  const [key] = isSingle(field) ? keyArguments(run, field) : [];
  const type = key === undefined ? undefined : field.args.find(({ name }) => name === key.name)?.type;
  if (key === undefined || type === undefined || key.candidates.length < 2) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `several-by-${kebab(key.name)}`,
      rule: graphqlRules.echo,
      expected: `for each ${key.name} the object that has it`,
      play: async (play) => {
        const candidates = key.candidates.slice(0, 4);
        const small = smallSelection(run, base);
        const asked = candidates.map(
          ({ value }, index): FieldSelection => ({
            kind: "field",
            name: field.name,
            alias: `object${index}`,
            arguments: [{ name: key.name, type, value }],
            selections: small,
          }),
        );
        const held = await run.ask(play, writeQuestion(asked));
        const findings: Finding[] = [...held.findings];
        for (const [index, { value, found }] of candidates.entries()) {
          const object = held.data?.[`object${index}`];
          const member = found?.fieldName;
          if (
            !isRecord(object) ||
            member === undefined ||
            !Object.hasOwn(object, member) ||
            isSame(object[member], value)
          )
            continue;
          findings.push({
            rule: graphqlRules.echo,
            message: `${field.name} by ${key.name} answers an object with another ${member}`,
            detail: `${showValue(object[member])} for ${showValue(value)}`,
            ...withPlace(placeOf(field.astNode)),
          });
        }
        return uniqueFindings(findings);
      },
    }),
  ];
}
