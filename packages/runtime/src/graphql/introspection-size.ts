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

/** Maximum lengths of the lists of introspection, by name of the field. */
export type IntrospectionLists = ReadonlyMap<string, number>;

/** Returns the lengths of the lists of a schema's introspection. */
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

/** Returns the approximate number of values that the usual introspection of tools returns: `DocumentSize.introspected` of their query. */
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
