// People, organisations and their accounts, with Apollo Server, schema first.
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { GraphQLError } from "graphql";

const typeDefs = `#graphql
  interface Node { id: ID! }
  enum Country { CH DE FR }
  enum PersonOrder { "Best match first" RELEVANCE NAME HEIGHT BORN }

  type Person implements Node {
    id: ID!
    firstName: String!
    lastName: String!
    born: String
    height: Int!
    country: Country!
    manager: Person
    reports(limit: Int): [Person!]!
    accounts(minBalance: Float, currency: String): [Account!]!
    lastSeen: String!
  }
  type Organisation implements Node {
    id: ID!
    name: String!
    "Of employees, rounded to tens."
    size: Int!
    members(first: Int = 5, after: ID): MemberList!
    founded: Int
  }
  type MemberList { list: [Person!]!, more: Boolean! }
  type Account implements Node { id: ID!, currency: String!, balance: Float!, limit: Float!, owner: Person!, transfers(last: Int = 3): [Transfer!]! }
  type Transfer { id: ID!, amount: Float!, day: String!, purpose: String }
  type Statistics { people: Int!, byCountry: [CountryCount!]!, tallest: Int!, averageHeight: Float! }
  type CountryCount { country: Country!, count: Int! }

  type Query {
    node(id: ID!): Node
    person(id: ID!): Person
    people(
      "Any part of the first or last name."
      name: String
      country: [Country!]
      "Centimetres, inclusive."
      minHeight: Int
      "Born before this year."
      bornBefore: Int
      orderBy: PersonOrder = NAME
      skip: Int = 0
      take: Int = 10
    ): [Person!]!
    peopleCount(country: [Country!]): Int!
    organisations: [Organisation!]!
    organisation(id: ID!): Organisation
    account(id: ID!): Account
    "Accounts whose limit is at least this."
    accountsByLimit(limit: Float!): [Account!]!
    statistics: Statistics!
    now: String!
  }
`;

const firstNames = ["Ana", "Beat", "Chloé", "Dario", "Elif", "Fritz"];
const lastNames = ["Keller", "Moser", "Petit", "Roth"];
const people = Array.from({ length: 32 }, (_, place) => ({
  __typename: "Person",
  id: `P${place + 1}`,
  firstName: firstNames[place % 6],
  lastName: lastNames[(place * 3) % 4],
  born: place % 7 === 0 ? null : `${1950 + ((place * 13) % 50)}-0${1 + (place % 9)}-1${place % 10}`,
  height: 150 + ((place * 17) % 50),
  country: ["CH", "DE", "FR"][(place * 2) % 3],
  managerId: place < 3 ? null : `P${1 + (place % 3)}`,
}));
const organisations = ["Bakery", "Bank", "Union"].map((name, place) => ({
  __typename: "Organisation",
  id: `O${place + 1}`,
  name,
  size: [10, 10, 10][place],
  founded: place === 1 ? null : 1890 + place * 31,
  memberIds: people.filter((_, index) => index % 3 === place).map(({ id }) => id),
}));
const accounts = people.flatMap(({ id }, place) =>
  Array.from({ length: place % 3 }, (_, index) => ({
    __typename: "Account",
    id: `A${place}-${index}`,
    currency: ["CHF", "EUR"][(place + index) % 2],
    balance: ((place * 733 + index * 91) % 9000) / 4 - 200,
    limit: 500 * (1 + ((place + index) % 4)),
    ownerId: id,
  })),
);
const transfersOf = ({ id }) =>
  Array.from({ length: 6 }, (_, place) => ({
    id: `${id}/${place}`,
    amount: (place - 2) * 12.5,
    day: `2025-02-0${1 + place}`,
    purpose: place % 2 === 0 ? null : `Invoice ${place}`,
  }));
const byId = (id) => [...people, ...organisations, ...accounts].find((one) => one.id === id) ?? null;
const refuse = (message) => {
  throw new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT" } });
};
const taken = (list, count, name) => (count == null ? list : count < 0 ? refuse(`${name} is from 0`) : list.slice(0, count));

const resolvers = {
  Query: {
    node: (_, { id }) => byId(id),
    person: (_, { id }) => people.find((one) => one.id === id),
    people: (_, { name, country, minHeight, bornBefore, orderBy, skip, take }) => {
      if (skip < 0) refuse("skip is from 0");
      const found = people.filter(
        (one) =>
          (name == null || `${one.firstName} ${one.lastName}`.toLowerCase().includes(name.toLowerCase())) &&
          (country == null || country.length === 0 || country.includes(one.country)) &&
          (minHeight == null || one.height >= minHeight) &&
          (bornBefore == null || (one.born !== null && Number(one.born.slice(0, 4)) < bornBefore)),
      );
      const keys = {
        NAME: (one) => `${one.lastName} ${one.firstName} ${one.id.padStart(4)}`,
        HEIGHT: (one) => one.height,
        BORN: (one) => one.born ?? "",
        RELEVANCE: (one) => (one.firstName.toLowerCase() === name?.toLowerCase() ? 0 : 1),
      };
      const key = keys[orderBy ?? "NAME"];
      found.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
      return taken(found.slice(skip ?? 0), take, "take");
    },
    peopleCount: (_, { country }) =>
      people.filter((one) => country == null || country.length === 0 || country.includes(one.country)).length,
    organisations: () => organisations,
    organisation: (_, { id }) => organisations.find((one) => one.id === id),
    account: (_, { id }) => accounts.find((one) => one.id === id),
    accountsByLimit: (_, { limit }) => accounts.filter((one) => one.limit >= limit),
    statistics: () => ({
      people: people.length,
      byCountry: ["CH", "DE", "FR"].map((country) => ({ country, count: people.filter((one) => one.country === country).length })),
      tallest: Math.max(...people.map(({ height }) => height)),
      averageHeight: Math.round((people.reduce((sum, { height }) => sum + height, 0) / people.length) * 100) / 100,
    }),
    now: () => new Date().toISOString(),
  },
  Node: { __resolveType: ({ __typename }) => __typename },
  Person: {
    manager: ({ managerId }) => people.find(({ id }) => id === managerId),
    reports: ({ id }, { limit }) => taken(people.filter(({ managerId }) => managerId === id), limit, "limit"),
    accounts: ({ id }, { minBalance, currency }) =>
      accounts.filter(
        (one) =>
          one.ownerId === id && (minBalance == null || one.balance >= minBalance) && (currency == null || one.currency === currency),
      ),
    lastSeen: ({ id }) => new Date(Date.now() - Number(id.slice(1)) * 1000).toISOString(),
  },
  Organisation: {
    members: ({ memberIds }, { first, after }) => {
      const start = after == null ? 0 : memberIds.indexOf(after) + 1;
      if (after != null && start === 0) refuse("after is the id of a member");
      const list = taken(memberIds.slice(start), first ?? 5, "first").map(byId);
      return { list, more: start + list.length < memberIds.length };
    },
  },
  Account: {
    owner: ({ ownerId }) => byId(ownerId),
    transfers: (account, { last }) => {
      if (last < 0) refuse("last is from 0");
      return last === 0 ? [] : transfersOf(account).slice(-(last ?? 3));
    },
  },
};

const server = new ApolloServer({ typeDefs, resolvers, introspection: true, includeStacktraceInErrorResponses: false });
await startStandaloneServer(server, { listen: { host: "127.0.0.1", port: Number(process.env.PORT) } });
