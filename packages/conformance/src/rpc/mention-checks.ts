import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { isRecord } from "../types/is-record.ts";
import { listOf } from "../compare/list-of.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Texts that are shorter may stand in an element by chance. */
const tellingLength = 12;
/** Elements in examples that it takes to say that all are so. */
const enoughElements = 2;

/** Where all elements that the examples show have what their list was asked for, in whichever member, all others have it too. */
export function checkMentions(
  _context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  const elements = elementsOf(value);
  if (elements.length === 0) return [];
  return method.parameters.flatMap((parameter): readonly Finding[] => {
    const asked = input[parameter.property];
    if (!isTelling(asked) || !parameter.required || !isShown(method, parameter)) return [];
    const wrong = elements.filter((element) => !mentions(element, asked));
    if (wrong.length === 0) return [];
    // Of a few it may be told elsewhere what they have to do with it.
    const rule = wrong.length * 2 > elements.length ? rpcRules.sameId : rpcRules.sameIdHoped;
    const message = `an element does not have the ${parameter.name} that was asked for in any member, as elements in the examples do`;
    return [finding(rule, message, showValue(wrong[0]), { pointer: "/*", place: parameter.place })];
  });
}

/** Where a member is called as the parameter, that one is looked at instead. */
function isShown({ examples }: SuiteRpcMethod, { name, property }: SuiteParameter): boolean {
  const shown = examples.flatMap(({ input, outcome }) => {
    const asked = input[property];
    if (outcome.kind !== "success" || !isTelling(asked)) return [];
    return elementsOf(outcome.value).map((element) => ({ element, asked }));
  });
  const isNamed = shown.some(({ element }) => Object.keys(element).some((one) => plainName(one) === plainName(name)));
  return !isNamed && shown.length >= enoughElements && shown.every(({ element, asked }) => mentions(element, asked));
}

function elementsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (listOf(value)?.items ?? []).filter(isRecord);
}

function isTelling(value: unknown): value is string {
  return typeof value === "string" && value.length >= tellingLength;
}

function mentions(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.toLowerCase() === text.toLowerCase();
  if (Array.isArray(value)) return value.some((item) => mentions(item, text));
  return isRecord(value) && Object.values(value).some((item) => mentions(item, text));
}
