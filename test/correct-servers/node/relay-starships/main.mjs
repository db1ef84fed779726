// A shipyard's starships, with graphql-js and graphql-relay's connections, served by Apollo Server.
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import {
  connectionArgs,
  connectionDefinitions,
  connectionFromArray,
  fromGlobalId,
  globalIdField,
  nodeDefinitions,
} from "graphql-relay";

const shipyards = ["Corellia", "Kuat", "Sienar"].map((name, place) => ({ kind: "Shipyard", id: String(place + 1), name }));
const ships = Array.from({ length: 29 }, (_, place) => ({
  kind: "Starship",
  id: String(place + 1),
  name: `${["Falcon", "Raven", "Star", "Comet"][place % 4]} ${place + 1}`,
  shipClass: ["FREIGHTER", "FIGHTER", "CRUISER"][place % 3],
  length: 20 + ((place * 37) % 400) / 2,
  crew: 1 + ((place * 11) % 60),
  retired: place % 6 === 0,
  shipyardId: String(1 + (place % 3)),
  routes: place % 4 === 0 ? [] : [`R${place}`, `R${place + 1}`],
}));

const { nodeInterface, nodeField, nodesField } = nodeDefinitions(
  (globalId) => {
    const { type, id } = fromGlobalId(globalId);
    return (type === "Starship" ? ships : type === "Shipyard" ? shipyards : []).find((one) => one.id === id) ?? null;
  },
  ({ kind }) => kind,
);

const StarshipClass = new GraphQLEnumType({ name: "StarshipClass", values: { FREIGHTER: {}, FIGHTER: {}, CRUISER: {} } });
const Starship = new GraphQLObjectType({
  name: "Starship",
  interfaces: [nodeInterface],
  fields: () => ({
    id: globalIdField(),
    name: { type: new GraphQLNonNull(GraphQLString) },
    shipClass: { type: new GraphQLNonNull(StarshipClass) },
    length: { type: new GraphQLNonNull(GraphQLFloat), description: "Metres." },
    crew: { type: new GraphQLNonNull(GraphQLInt) },
    retired: { type: new GraphQLNonNull(GraphQLBoolean) },
    routes: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))) },
    shipyard: {
      type: new GraphQLNonNull(Shipyard),
      resolve: ({ shipyardId }) => shipyards.find(({ id }) => id === shipyardId),
    },
  }),
});
const { connectionType: StarshipConnection } = connectionDefinitions({
  nodeType: Starship,
  connectionFields: { totalCount: { type: new GraphQLNonNull(GraphQLInt) } },
});
const chosen = (found, args) => ({ ...connectionFromArray(found, args), totalCount: found.length });
const Shipyard = new GraphQLObjectType({
  name: "Shipyard",
  interfaces: [nodeInterface],
  fields: () => ({
    id: globalIdField(),
    name: { type: new GraphQLNonNull(GraphQLString) },
    ships: {
      type: new GraphQLNonNull(StarshipConnection),
      args: { ...connectionArgs, shipClass: { type: StarshipClass } },
      resolve: ({ id }, { shipClass, ...args }) =>
        chosen(
          ships.filter((one) => one.shipyardId === id && (shipClass == null || one.shipClass === shipClass)),
          args,
        ),
    },
  }),
});

const Query = new GraphQLObjectType({
  name: "Query",
  fields: {
    node: nodeField,
    nodes: nodesField,
    starships: {
      type: new GraphQLNonNull(StarshipConnection),
      args: { ...connectionArgs, retired: { type: GraphQLBoolean }, minCrew: { type: GraphQLInt } },
      resolve: (_, { retired, minCrew, ...args }) =>
        chosen(
          ships.filter((one) => (retired == null || one.retired === retired) && (minCrew == null || one.crew >= minCrew)),
          args,
        ),
    },
    shipyards: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Shipyard))), resolve: () => shipyards },
    shipyard: {
      type: Shipyard,
      args: { name: { type: new GraphQLNonNull(GraphQLString) } },
      resolve: (_, { name }) => shipyards.find((one) => one.name === name),
    },
  },
});

const server = new ApolloServer({ schema: new GraphQLSchema({ query: Query, types: [Starship, Shipyard] }), introspection: true });
await startStandaloneServer(server, { listen: { host: "127.0.0.1", port: Number(process.env.PORT) } });
