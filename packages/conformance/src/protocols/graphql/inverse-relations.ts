import { isRecord } from "@nodewright/api-model";
import { type GraphQLField, type GraphQLObjectType, getNullableType, isObjectType, isRequiredArgument } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import { withPlace } from "../../suite/with-place.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { type ListShape, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { identityOf } from "./select-fields.ts";
import { type FieldSelection, writeQuestion } from "./selection.ts";

/** Lists of one object that are looked at. */
const mostLists = 2;

/** A list of an object whose elements name the object that they are of: `Album.tracks` and `Track.album`. */
interface Inverse {
  readonly list: GraphQLField<unknown, unknown>;
  readonly back: GraphQLField<unknown, unknown>;
  readonly shape: ListShape;
}

/** What an object lists is of that object: a transaction is in the block that lists it. */
export function planInverse(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const owner = getNullableType(base.field.type);
  if (!isObjectType(owner)) return [];
  const [key] = identityOf(owner);
  if (key === undefined) return [];
  return inversesOf(owner)
    .slice(0, mostLists)
    .map(({ list, back, shape }) => {
      const leaf: FieldSelection = { kind: "field", name: key.name, selections: [] };
      const backSelection: FieldSelection = { kind: "field", name: back.name, selections: [leaf] };
      const listSelection: FieldSelection = {
        kind: "field",
        name: list.name,
        selections: shape.select([backSelection]),
      };
      const question = writeQuestion([{ ...base.selection, selections: [leaf, listSelection] }]);
      return graphqlCase({
        operation: base.operation,
        group: "relation",
        name: `${kebab(list.name)}-are-of-it`,
        rule: graphqlRules.alone,
        expected: `the ${owner.name} itself as ${back.name} of each of its ${list.name}`,
        question,
        play: async (play) => {
          const { data, findings } = await run.ask(play, question);
          const held = data?.[base.selection.alias ?? base.selection.name];
          if (!isRecord(held)) return findings;
          return uniqueFindings([...findings, ...inverseFindings(held, key.name, { list, back, shape })]);
        },
      });
    });
}

function inverseFindings(
  owner: Readonly<Record<string, unknown>>,
  key: string,
  { list, back, shape }: Inverse,
): readonly Finding[] {
  const own = owner[key];
  const items = shape.elementsOf(owner[list.name]);
  if (own === null || own === undefined || items === undefined) return [];
  for (const item of items) {
    const other: unknown = isRecord(item) ? item[back.name] : undefined;
    if (!isRecord(other) || other[key] === null || other[key] === own) continue;
    const pointer = `/${list.name}/*/${back.name}/${key}`;
    const message = `${pointer} is another than ${key} of the object that lists it`;
    const detail = `${showValue(other[key])} instead of ${showValue(own)}`;
    return [{ rule: graphqlRules.alone, message, detail, pointer, ...withPlace(placeOf(back.astNode)) }];
  }
  return [];
}

/** Names alone tell that two fields are the two ends of one relation: both are called after the types. */
function inversesOf(owner: GraphQLObjectType): readonly Inverse[] {
  return Object.values(owner.getFields()).flatMap((list): readonly Inverse[] => {
    const shape = listShapeOf(list.type);
    const element = shape?.element;
    if (shape === undefined || !isObjectType(element) || element === owner) return [];
    if (list.args.some(isRequiredArgument) || !isPluralOf(list.name, element.name)) return [];
    const back = Object.values(element.getFields()).find(
      ({ name, type, args }) =>
        getNullableType(type) === owner &&
        name.toLowerCase() === owner.name.toLowerCase() &&
        !args.some(isRequiredArgument),
    );
    return back === undefined ? [] : [{ list, back, shape }];
  });
}

function isPluralOf(name: string, type: string): boolean {
  const [plural, singular] = [name.toLowerCase(), type.toLowerCase()];
  return [`${singular}s`, `${singular}es`, `${singular.replace(/y$/, "")}ies`].includes(plural);
}
