/** A small API, the same in each of the three languages: pets are listed, looked up and added. */
export const petsOpenapi = `openapi: 3.1.0
info: { title: Pets, version: "1" }
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
      responses:
        "200":
          description: The pets.
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } }
    post:
      operationId: createPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/NewPet" } } }
      responses:
        "201":
          description: The pet.
          content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
  /pets/{petId}:
    get:
      operationId: getPet
      parameters:
        - { name: petId, in: path, required: true, schema: { type: string } }
      responses:
        "200":
          description: The pet.
          content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
        "404": { description: No such pet. }
components:
  schemas:
    NewPet:
      type: object
      required: [name]
      properties: { name: { type: string }, tag: { type: string } }
    Pet:
      type: object
      required: [id, name]
      properties: { id: { type: string }, name: { type: string }, tag: { type: string } }
`;

export const petsOpenrpc = `openrpc: 1.3.2
info: { title: Pets, version: "1" }
methods:
  - name: list_pets
    params:
      - { name: limit, schema: { type: integer, minimum: 1, maximum: 100 } }
    result: { name: pets, schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } }
  - name: create_pet
    params:
      - { name: name, required: true, schema: { type: string } }
    result: { name: pet, schema: { $ref: "#/components/schemas/Pet" } }
  - name: get_pet
    params:
      - { name: petId, required: true, schema: { type: string } }
    result: { name: pet, schema: { $ref: "#/components/schemas/Pet" } }
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties: { id: { type: string }, name: { type: string }, tag: { type: string } }
`;

export const petsGraphql = `type Query {
  listPets(limit: Int): [Pet!]!
  getPet(petId: ID!): Pet
}

type Mutation {
  createPet(name: String!): Pet!
}

type Pet {
  id: ID!
  name: String!
  tag: String
}
`;
