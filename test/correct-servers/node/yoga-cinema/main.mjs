// Films, cinemas and showings, with GraphQL Yoga, schema first.
import { createServer } from "node:http";
import { GraphQLError } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";

const typeDefs = /* GraphQL */ `
  scalar Date
  scalar DateTime

  enum Rating { ALL TWELVE SIXTEEN }
  enum FilmSortField { TITLE YEAR MINUTES }
  enum SortDirection { ASC DESC }

  type Film {
    id: ID!
    title: String!
    year: Int!
    minutes: Int!
    rating: Rating!
    director: Person
    showings(from: DateTime, limit: Int = 5): [Showing!]!
  }
  type Person { id: ID! name: String! films: [Film!]! }
  type Cinema { id: ID! name: String! seats: Int! city: String! showings(day: Date): [Showing!]! }
  type Showing { id: ID! film: Film! cinema: Cinema! startsAt: DateTime! price: Float! seatsLeft: Int! }
  union SearchResult = Film | Person | Cinema

  input FilmFilter {
    rating: [Rating!]
    yearFrom: Int
    "Inclusive."
    yearTo: Int
    title: String
  }
  input FilmSort { field: FilmSortField! direction: SortDirection! = ASC }

  type FilmPage { items: [Film!]! total: Int! hasMore: Boolean! }

  type Query {
    film(id: ID!): Film
    "Films that match. \`title\` of the filter is a part of the title."
    films(filter: FilmFilter, sort: FilmSort, offset: Int! = 0, limit: Int! = 10): FilmPage!
    person(id: ID!): Person
    cinemas(city: String): [Cinema!]!
    showing(id: ID!): Showing
    search(text: String!, limit: Int = 10): [SearchResult!]!
    cities: [String!]!
  }
  type Mutation { book(showing: ID!, seats: Int!): Showing! }
`;

const people = ["Ines Vargas", "Piotr Halm", "Sana Idris"].map((name, place) => ({ id: `p${place + 1}`, name }));
const films = Array.from({ length: 27 }, (_, place) => ({
  id: `f${place + 1}`,
  title: `${["Silent", "Red", "Last", "Hidden"][place % 4]} ${["Train", "Letter", "Island"][place % 3]} ${place + 1}`,
  year: 1975 + ((place * 11) % 50),
  minutes: 71 + ((place * 19) % 90),
  rating: ["ALL", "TWELVE", "SIXTEEN"][(place * 2) % 3],
  directorId: place % 5 === 0 ? null : people[place % 3].id,
}));
const cinemas = ["Apollo", "Rex", "Lux", "Forum"].map((name, place) => ({
  id: `c${place + 1}`,
  name,
  seats: 80 + place * 45,
  city: ["Basel", "Bern", "Basel", "Chur"][place],
}));
const showings = Array.from({ length: 90 }, (_, place) => ({
  id: `s${place + 1}`,
  filmId: films[(place * 7) % 27].id,
  cinemaId: cinemas[place % 4].id,
  startsAt: new Date(Date.UTC(2025, 9, 1, 14) + place * 5 * 3_600_000).toISOString(),
  price: 12 + (place % 4) * 1.5,
  seatsLeft: (place * 13) % 70,
}));

const bounded = (limit, most = 50) => {
  if (limit !== null && limit !== undefined && (limit < 0 || limit > most))
    throw new GraphQLError(`limit is from 0 to ${most}`, { extensions: { code: "BAD_USER_INPUT" } });
  return limit ?? most;
};
const time = (value) => {
  const parsed = typeof value === "string" && /^\d{4}-\d\d-\d\d(T|$)/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(parsed)) throw new GraphQLError(`Not a time: ${value}`, { extensions: { code: "BAD_USER_INPUT" } });
  return parsed;
};

const resolvers = {
  Query: {
    film: (_, { id }) => films.find((one) => one.id === id),
    films: (_, { filter, sort, offset, limit }) => {
      if (offset < 0) throw new GraphQLError("offset is from 0", { extensions: { code: "BAD_USER_INPUT" } });
      const most = bounded(limit);
      const { rating, yearFrom, yearTo, title } = filter ?? {};
      const found = films.filter(
        (one) =>
          (!rating || rating.includes(one.rating)) &&
          (yearFrom == null || one.year >= yearFrom) &&
          (yearTo == null || one.year <= yearTo) &&
          (title == null || one.title.toLowerCase().includes(title.toLowerCase())),
      );
      if (sort) {
        const key = sort.field.toLowerCase();
        found.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));
        if (sort.direction === "DESC") found.reverse();
      }
      return {
        items: found.slice(offset, offset + most),
        total: found.length,
        hasMore: offset + most < found.length,
      };
    },
    person: (_, { id }) => people.find((one) => one.id === id),
    cinemas: (_, { city }) => cinemas.filter((one) => city == null || one.city === city),
    showing: (_, { id }) => showings.find((one) => one.id === id),
    search: (_, { text, limit }) =>
      [...films, ...people, ...cinemas]
        .filter((one) => (one.title ?? one.name).toLowerCase().includes(text.toLowerCase()))
        .slice(0, bounded(limit)),
    cities: () => [...new Set(cinemas.map(({ city }) => city))],
  },
  Mutation: {
    book: () => {
      throw new GraphQLError("Booking is closed");
    },
  },
  Film: {
    director: ({ directorId }) => people.find(({ id }) => id === directorId),
    showings: ({ id }, { from, limit }) => {
      const start = from == null ? 0 : time(from);
      return showings
        .filter(({ filmId, startsAt }) => filmId === id && Date.parse(startsAt) >= start)
        .slice(0, bounded(limit));
    },
  },
  Person: { films: ({ id }) => films.filter(({ directorId }) => directorId === id) },
  Cinema: {
    showings: ({ id }, { day }) => {
      if (day != null) time(day);
      return showings.filter(({ cinemaId, startsAt }) => cinemaId === id && (day == null || startsAt.startsWith(day)));
    },
  },
  Showing: {
    film: ({ filmId }) => films.find(({ id }) => id === filmId),
    cinema: ({ cinemaId }) => cinemas.find(({ id }) => id === cinemaId),
  },
  SearchResult: {
    __resolveType: ({ minutes, seats }) => (minutes !== undefined ? "Film" : seats !== undefined ? "Cinema" : "Person"),
  },
};

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false, landingPage: false });
createServer(yoga).listen(Number(process.env.PORT), "127.0.0.1");
