import type { Explanations } from "./explanation.ts";

export const graphqlExplanations: Explanations = {
  syntax: {
    cause: "The text is not GraphQL (October 2021). The place is the first word that does not fit.",
    example: "type Query { pets: [Pet }",
    remedy: "Correct the text there.",
  },
  "too-deep": {
    cause: "Brackets are nested deeper than any schema needs; parsers would overflow their stack.",
    example: "[[[[[[[[ … ]]]]]]]]   # hundreds of levels",
    remedy: "Flatten the value or the selection.",
  },
  "operation-in-schema": {
    cause:
      "The file of the schema holds a query, a mutation, a subscription or a fragment. A schema consists of definitions alone.",
    example: "type Query { a: Int }\nquery A { a }",
    remedy:
      "Put operations into files of their own and name their directory as operationDocuments in the configuration.",
  },
  "wrong-default": {
    cause:
      "The default of an argument or an input field is not a value of its type, so leaving it out sends an invalid value.",
    example: 'pets(first: Int = "ten"): [Pet]',
    remedy: "Correct the default or the type.",
  },
  "invalid-schema": {
    cause: "The schema breaks a rule of the specification, section 3. Servers refuse to start with it.",
    example: "type Dog implements Pet { barks: Boolean }   # Pet has a field name",
    remedy: "Follow the message; it names the rule.",
  },
  "invalid-operation": {
    cause:
      "An operation document breaks a rule of the specification, section 5, so no server with this schema can execute it.",
    example: "query Pets { pets { colour } }   # Pet has no field colour",
    remedy: "Correct the operation, or add the missing fields to the schema.",
  },
  "repeated-field": {
    cause:
      "A type describes the same field twice in the same words. The specification forbids it; the second adds nothing.",
    example: "type Pet { name: String name: String }",
    remedy: "Remove one of the two.",
  },
  "unknown-directive": {
    cause:
      "A directive is used that the document does not define, such as one of another tool. It changes nothing here.",
    example: 'type Pet @key(fields: "id") { id: ID! }',
    remedy: "Define it in the document, or leave it: this is a warning alone.",
  },
  "no-query": {
    cause: "A schema without a type Query has no entry, and the specification (section 3.3.1) requires one.",
    example: "type Pet { name: String }",
    remedy: "Add type Query, or name another type in schema { query: … }.",
  },
  "circular-default": {
    cause:
      "The default of an input field contains a value of the input type that the field belongs to, directly or through the defaults " +
      "of other types. Such a default has no end, which the specification forbids.",
    example: "input Filter { also: Filter = {} }",
    remedy: "Take the default away, or let it be null.",
  },
  "anonymous-operation": {
    cause: "An operation document holds an operation without a name, and the client has no name for the method.",
    example: "{ pets { name } }",
    remedy: "Name it: query ListPets { pets { name } }.",
  },
  "duplicate-operation": {
    cause: "Two operation documents name an operation alike; the client could have only one of them.",
    example: "query Pets { … }   # in pets.graphql and in all-pets.graphql",
    remedy: "Rename one of the two.",
  },
  "not-an-example": {
    cause: "An entry of an .examples.yaml file is not what a case of the conformance suite is made from.",
    example: "- variables: { id: 1 }   # no name, and neither data nor errors",
    remedy: "Give each entry a name, variables, and either data or errors.",
  },
  "only-extended": {
    cause:
      "The document is a part of a schema: it extends a root type, or in a federated schema another type, that it does not define.",
    example: "extend type Query { pets: [Pet!]! }   # and no type Query",
    remedy: "Nothing needs to be done where another part defines the type. Otherwise leave out the word extend.",
  },
  "unused-fragment": {
    cause: "The operation documents have a fragment that no operation spreads, directly or through another.",
    example: "fragment PetParts on Pet { id }   # and nowhere ...PetParts",
    remedy: "Spread it where it was meant to be, or remove it.",
  },
  "unclaimed-example": {
    cause: "A file of several operations has examples, and one of them does not say whose it is.",
    example: "- name: rex   # next to pets.graphql with query Pet and query Pets",
    remedy: "Add operation: Pet to the example, or give each operation a file of its own.",
  },
  "unknown-variable": {
    cause: "An example gives a value to a variable that its operation does not declare.",
    example: "variables: { petId: 1 }   # query Pet($id: ID!)",
    remedy: "Correct the name in the example, or declare the variable.",
  },
  "not-a-range": {
    cause: "An entry of a .pages.yaml file lacks a path, has an invalid path, or has an unknown member.",
    example: "- { from: fromBlock, till: toBlock, items: logs }",
    remedy: "Give it from, to and items; length, end and operation are optional, and there are no others.",
  },
  "unclaimed-pages": {
    cause: "A file of several operations has pages, and an entry does not say whose they are.",
    example: "- { from: from, to: to, items: blocks }   # next to query Blocks and query Headers",
    remedy: "Add operation: Blocks to the entry, or give each operation a file of its own.",
  },
  "not-relations": {
    cause: "A .relations.yaml file holds something else than a list.",
    example: "name: own-hash\nholds: block.hash = $input.hash",
    remedy: "Put a dash in front of each relation.",
  },
  "unclaimed-relation": {
    cause: "A file of several operations has relations, and one of them does not say whose it is.",
    example: "- { name: own-hash, holds: block.hash = $input.hash }   # next to query Blocks and query Headers",
    remedy: "Add operation: Blocks to the relation, or give each operation a file of its own.",
  },
  "duplicate-pages": {
    cause: "Two entries of a .pages.yaml file describe the pages of one operation.",
    example: "- { from: from, to: to, items: blocks }\n- { from: from, to: to, items: blocks }",
    remedy: "Remove one of the two, or name the operation that it was meant for.",
  },
  "pages-of-no-query": {
    cause: "Pages are declared for a mutation or a subscription, which are not to be sent piece by piece.",
    example: "- { from: from, to: to, items: sent }   # mutation Send($from: Int, $to: Int)",
    remedy: "Declare pages for queries alone.",
  },
  "wrong-page-length": {
    cause: "The name of the page length is not an integer variable of the operation.",
    example: "- { from: from, to: to, items: blocks, length: 0 }",
    remedy: "Give a length of 1 or more, or none: then it is 1000.",
  },
  "unknown-range-variable": {
    cause: "Pages are cut by a variable, or by a member of one, that the operation does not declare.",
    example:
      "- { from: filter.first, to: filter.last, items: logs }   # input Filter { fromBlock: Long, toBlock: Long }",
    remedy: "Name a variable of the operation, followed by members of its input type: filter.fromBlock.",
  },
  "no-integer-variable": {
    cause: "Pages are cut by a variable that holds something else than an integer.",
    example: "- { from: hash, to: to, items: blocks }   # query Blocks($hash: String, $to: Int)",
    remedy: "Name a variable of type Int or of a scalar that the schema declares.",
  },
  "unknown-range-items": {
    cause: "The pages are declared to contain a list that the operation does not select.",
    example: "- { from: from, to: to, items: block.logs }   # query Logs($from: Int, $to: Int) { logs(…) { data } }",
    remedy: "Name the list by its path in the response: logs.",
  },
  "unknown-range-end": {
    cause:
      "The end of an open range comes from another operation, which does not exist or does not return an integer at that path.",
    example: "end: LatestBlock.height   # query LatestBlock { block { number } }",
    remedy:
      "Name a query that needs no variables, and the path of the integer in its response: LatestBlock.block.number.",
  },
  "unknown-scalar": {
    cause: "The configuration describes a scalar that the schema does not declare.",
    example: "scalars: { DateTme: { pattern: … } }",
    remedy: "Correct the name, or remove the entry.",
  },
};
