import { plainName } from "../compare/volatile-names.ts";
import type { SuiteLink, SuiteParameter } from "../suite/suite.ts";

interface Linking {
  readonly name: string;
  readonly links: readonly SuiteLink[];
}

/**
 * Returns the members of lists that contain the keys of lookups, according to declared links: `barcode` for the `ean` that receives
 * `$result.entries[0].barcode`. Omits keys whose links come from different members. `keyOf` returns the key parameter of a lookup;
 * `mayLink` returns whether one operation lists the objects that another one looks up.
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

/** Returns the member of a list element that an expression selects; undefined for a reference to another element. */
function namedMember(expression: unknown): string | undefined {
  const name = /(?:\$response\.body#|result).*(?:\[\d+\]|[./]\d+)[./]([A-Za-z_][^/~.}]*)\}*$/.exec(
    String(expression),
  )?.[1];
  const isOther = name !== undefined && /^(?:prev|next|parent|successor|predecessor)/.test(plainName(name));
  return isOther ? undefined : name;
}
