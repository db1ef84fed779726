import { plainName } from "../../compare/volatile-names.ts";
import type { RpcSuite, SuiteParameter } from "../../suite/suite.ts";

const known = new WeakMap<RpcSuite, ReadonlyMap<SuiteParameter, string>>();

/**
 * The member by which elements of lists name what a method asks for by its only required parameter, as declared links tell: `barcode` for
 * the `ean` that `$result.entries[0].barcode` is given to. Undefined where links lead from several members.
 */
export function linkedMemberOf(suite: RpcSuite, parameter: SuiteParameter): string | undefined {
  let members = known.get(suite);
  if (members === undefined) {
    members = linkedMembersOf(suite);
    known.set(suite, members);
  }
  return members.get(parameter);
}

function linkedMembersOf({ operations }: RpcSuite): ReadonlyMap<SuiteParameter, string> {
  const found = new Map<SuiteParameter, Set<string>>();
  const byName = new Map(operations.map((method) => [method.name, method]));
  for (const link of operations.flatMap(({ links }) => links)) {
    const [parameter, ...others] = byName.get(link.operation)?.parameters.filter(({ required }) => required) ?? [];
    const member = parameter === undefined ? undefined : namedMember(link.inputs[parameter.property]);
    if (parameter === undefined || others.length > 0 || member === undefined) continue;
    found.set(parameter, (found.get(parameter) ?? new Set<string>()).add(member));
  }
  const single = [...found].filter(([, names]) => names.size === 1);
  return new Map(single.flatMap(([parameter, names]) => [...names].map((name) => [parameter, name] as const)));
}

/** The member of an element that an expression ends at; not one that names another element. */
function namedMember(expression: unknown): string | undefined {
  if (typeof expression !== "string") return undefined;
  const name = /result.*(?:\[\d+\]|[./]\d+)[./]([A-Za-z_]\w*)\}*$/.exec(expression)?.[1];
  return name === undefined || /^(?:prev|next|parent)/.test(plainName(name)) ? undefined : name;
}
