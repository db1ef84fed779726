import type { Property } from "../../../properties/property.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";

/** Property that null as the value of a nullable argument without a default has the effect of leaving it out. */
export const nullProperty: Property = {
  name: "null-arguments",
  rule: graphqlRules.nullArgument,
  *checks({ operation, base, defaultOf, differencesOf }) {
    for (const parameter of operation.parameters) {
      const { name, property, required } = parameter;
      if (required || base[property] !== undefined || defaultOf(parameter) !== undefined) continue;
      const withNull = { ...base, [property]: null };
      yield {
        name: `${property}-null`,
        expected: "the same result for null arguments as for omitted ones",
        parameter,
        inputs: [base, withNull],
        isWhole: true,
        verify: async (call) => {
          const [plain, other] = await call(base, withNull);
          const message = `the value differs between ${name} as null and ${name} omitted`;
          return differencesOf(plain.value, other.value).length === 0 ? [] : [{ message }];
        },
      };
    }
  },
};
