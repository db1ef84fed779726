// Items and suppliers of a warehouse, with GraphQL Yoga; arguments in the way of generated interfaces to databases.
import { createServer } from "node:http";
import { GraphQLError } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";

const typeDefs = /* GraphQL */ `
  scalar numeric
  scalar timestamptz

  enum order_by { asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last }

  input Int_comparison_exp { _eq: Int, _gt: Int, _gte: Int, _in: [Int!], _is_null: Boolean, _lt: Int, _lte: Int, _neq: Int, _nin: [Int!] }
  input String_comparison_exp { _eq: String, _ilike: String, _in: [String!], _is_null: Boolean, _neq: String }
  input numeric_comparison_exp { _gte: numeric, _lte: numeric }

  input items_bool_exp {
    _and: [items_bool_exp!]
    _or: [items_bool_exp!]
    _not: items_bool_exp
    id: Int_comparison_exp
    name: String_comparison_exp
    quantity: Int_comparison_exp
    price: numeric_comparison_exp
    supplier_id: Int_comparison_exp
    supplier: suppliers_bool_exp
  }
  input suppliers_bool_exp { id: Int_comparison_exp, name: String_comparison_exp, country: String_comparison_exp }
  input items_order_by { id: order_by, name: order_by, quantity: order_by, price: order_by }
  input suppliers_order_by { id: order_by, name: order_by }

  enum items_select_column { id name quantity price supplier_id }

  type items {
    id: Int!
    name: String!
    quantity: Int!
    price: numeric!
    added_at: timestamptz!
    supplier_id: Int
    supplier: suppliers
  }
  type suppliers {
    id: Int!
    name: String!
    country: String!
    items(where: items_bool_exp, order_by: [items_order_by!], limit: Int, offset: Int, distinct_on: [items_select_column!]): [items!]!
    items_aggregate(where: items_bool_exp): items_aggregate!
  }
  type items_aggregate { aggregate: items_aggregate_fields, nodes: [items!]! }
  type items_aggregate_fields { count(columns: [items_select_column!], distinct: Boolean): Int!, sum: items_sum_fields, min: items_min_fields, max: items_max_fields }
  type items_sum_fields { quantity: Int }
  type items_min_fields { quantity: Int, name: String }
  type items_max_fields { quantity: Int, name: String }

  type query_root {
    items(where: items_bool_exp, order_by: [items_order_by!], limit: Int, offset: Int, distinct_on: [items_select_column!]): [items!]!
    items_by_pk(id: Int!): items
    items_aggregate(where: items_bool_exp, limit: Int, offset: Int): items_aggregate!
    suppliers(where: suppliers_bool_exp, order_by: [suppliers_order_by!], limit: Int, offset: Int): [suppliers!]!
    suppliers_by_pk(id: Int!): suppliers
  }
  schema { query: query_root }
`;

const suppliers = ["Nordfisk", "Alpenmilch", "Sudfrutta"].map((name, place) => ({
  id: place + 1,
  name,
  country: ["NO", "CH", "IT"][place],
}));
const items = Array.from({ length: 34 }, (_, place) => ({
  id: place + 1,
  name: `${["crate", "Box", "pallet", "drum"][place % 4]} ${String.fromCharCode(65 + ((place * 7) % 26))}`,
  quantity: (place * 13) % 40,
  price: ((place * 371) % 900) / 4,
  added_at: new Date(Date.UTC(2025, 5, 1) + place * 9_000_000).toISOString(),
  supplier_id: place % 5 === 0 ? null : 1 + (place % 3),
}));
const supplierOf = ({ supplier_id }) => suppliers.find(({ id }) => id === supplier_id) ?? null;

const tests = {
  _eq: (value, wanted) => value === wanted,
  _neq: (value, wanted) => value !== null && value !== wanted,
  _gt: (value, wanted) => value !== null && value > wanted,
  _gte: (value, wanted) => value !== null && value >= Number(wanted),
  _lt: (value, wanted) => value !== null && value < wanted,
  _lte: (value, wanted) => value !== null && value <= Number(wanted),
  _in: (value, wanted) => wanted.includes(value),
  _nin: (value, wanted) => value !== null && !wanted.includes(value),
  _is_null: (value, wanted) => (value === null) === wanted,
  _ilike: (value, wanted) =>
    new RegExp(`^${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%", ".*").replaceAll("_", ".")}$`, "is").test(value),
};
const matches = (row, where) =>
  Object.entries(where ?? {}).every(([name, wanted]) => {
    if (wanted === null) throw new GraphQLError(`unexpected null value for ${name}`);
    if (name === "_and") return wanted.every((one) => matches(row, one));
    if (name === "_or") return wanted.some((one) => matches(row, one));
    if (name === "_not") return !matches(row, wanted);
    if (name === "supplier") return supplierOf(row) !== null && matches(supplierOf(row), wanted);
    return Object.entries(wanted).every(([operator, value]) => {
      if (value === null) throw new GraphQLError(`unexpected null value for ${operator}`);
      return tests[operator](row[name], value);
    });
  });
const compare = (a, b, order) => {
  const sign = order.startsWith("desc") ? -1 : 1;
  return sign * (a < b ? -1 : a > b ? 1 : 0);
};
function select(rows, { where, order_by = [], limit, offset, distinct_on }) {
  if ((limit ?? 0) < 0 || (offset ?? 0) < 0) throw new GraphQLError("unexpected negative value");
  const keys = (order_by ?? []).flatMap((one) => Object.entries(one));
  let found = rows.filter((row) => matches(row, where));
  found.sort((a, b) => keys.reduce((result, [name, order]) => result || compare(a[name], b[name], order ?? "asc"), 0));
  if (distinct_on?.length > 0) {
    const seen = new Set();
    found = found.filter((row) => {
      const key = JSON.stringify(distinct_on.map((name) => row[name]));
      return !seen.has(key) && seen.add(key);
    });
  }
  return found.slice(offset ?? 0, limit == null ? undefined : (offset ?? 0) + limit);
}
const aggregateOf = (nodes) => ({ aggregate: { nodes }, nodes });

const resolvers = {
  query_root: {
    items: (_, args) => select(items, args),
    items_by_pk: (_, { id }) => items.find((one) => one.id === id),
    items_aggregate: (_, args) => aggregateOf(select(items, args)),
    suppliers: (_, args) => select(suppliers, args),
    suppliers_by_pk: (_, { id }) => suppliers.find((one) => one.id === id),
  },
  items: { supplier: supplierOf },
  suppliers: {
    items: ({ id }, args) =>
      select(
        items.filter((one) => one.supplier_id === id),
        args,
      ),
    items_aggregate: ({ id }, args) =>
      aggregateOf(
        select(
          items.filter((one) => one.supplier_id === id),
          args,
        ),
      ),
  },
  items_aggregate_fields: {
    count: ({ nodes }, { columns, distinct }) =>
      columns == null || columns.length === 0
        ? nodes.length
        : (() => {
            const given = nodes.map((row) => columns.map((name) => row[name])).filter((values) => !values.includes(null));
            return distinct ? new Set(given.map((values) => JSON.stringify(values))).size : given.length;
          })(),
    sum: ({ nodes }) => ({ quantity: nodes.length === 0 ? null : nodes.reduce((sum, { quantity }) => sum + quantity, 0) }),
    min: ({ nodes }) => extreme(nodes, "asc"),
    max: ({ nodes }) => extreme(nodes, "desc"),
  },
};
const extreme = (nodes, order) =>
  Object.fromEntries(
    ["quantity", "name"].map((name) => [name, nodes.map((row) => row[name]).toSorted((a, b) => compare(a, b, order))[0] ?? null]),
  );

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false, landingPage: false, maskedErrors: false });
createServer(yoga).listen(Number(process.env.PORT), "127.0.0.1");
