import {
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
} from "graphql";
import { measureDocument } from "./document-size.ts";

/** How many elements the lists of introspection have at most, by name of the field. */
export type IntrospectionLists = ReadonlyMap<string, number>;

/** Finds out how long the lists of a schema's introspection are. */
export function introspectionListsOf(schema: GraphQLSchema): IntrospectionLists {
  const longest = new Map<string, number>();
  const note = (name: string, length: number): void => {
    longest.set(name, Math.max(longest.get(name) ?? 0, length));
  };
  const types = Object.values(schema.getTypeMap());
  note("types", types.length);
  note("directives", schema.getDirectives().length);
  for (const directive of schema.getDirectives()) {
    note("args", directive.args.length);
    note("locations", directive.locations.length);
  }
  for (const type of types) {
    if (isObjectType(type) || isInterfaceType(type)) {
      const fields = Object.values(type.getFields());
      note("fields", fields.length);
      note("interfaces", type.getInterfaces().length);
      for (const field of fields) note("args", field.args.length);
    }
    if (isInterfaceType(type) || isUnionType(type)) note("possibleTypes", schema.getPossibleTypes(type).length);
    if (isEnumType(type)) note("enumValues", type.getValues().length);
    if (isInputObjectType(type)) note("inputFields", Object.keys(type.getFields()).length);
  }
  return longest;
}

/** About how many values the usual introspection of tools answers: what `DocumentSize.introspected` of their query is. */
export function usualIntrospection(lists: IntrospectionLists): number {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  return measureDocument(parse(query), lists).introspected;
}
