import { plainName } from "../compare/volatile-names.ts";
import type { SuiteLink, SuiteParameter } from "../suite/suite.ts";

interface Linking {
  readonly name: string;
  readonly links: readonly SuiteLink[];
}

/**
 * Returns the members by which lists name what operations look up, as declared links tell: `barcode` for the `ean` that
 * `$result.entries[0].barcode` is given to. Where links lead from several members, none is. `keyOf`: the parameter that takes what is looked
 * up; `mayLink`: whether an operation lists what the other one looks up.
 */
export function linkedMembersOf<Of extends Linking>(
  operations: readonly Of[],
  keyOf: (operation: Of) => SuiteParameter | undefined,
  mayLink: (from: Of, to: Of) => boolean = () => true,
): ReadonlyMap<SuiteParameter, string> {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const named = operations.flatMap((from) =>
    from.links.flatMap(({ operation, inputs }) => {
      const to = byName.get(operation);
      const key = to === undefined || !mayLink(from, to) ? undefined : keyOf(to);
      const member = key === undefined ? undefined : namedMember(inputs[key.property]);
      return key === undefined || member === undefined ? [] : [{ key, member }];
    }),
  );
  const byKey = [...Map.groupBy(named, ({ key }) => key)];
  return new Map(
    byKey.flatMap(([key, [first, ...others]]) =>
      first !== undefined && others.every(({ member }) => member === first.member) ? [[key, first.member]] : [],
    ),
  );
}

/** The member of an element of a list that an expression ends at; not one that names another element. */
function namedMember(expression: unknown): string | undefined {
  const name = /(?:\$response\.body#|result).*(?:\[\d+\]|[./]\d+)[./]([A-Za-z_][^/~.}]*)\}*$/.exec(
    String(expression),
  )?.[1];
  const isOther = name !== undefined && /^(?:prev|next|parent|successor|predecessor)/.test(plainName(name));
  return isOther ? undefined : name;
}
