import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from "graphql";

/** What a server answers a query. */
export interface GraphqlResponse {
  readonly status: number;
  readonly data: unknown;
  readonly errors: readonly AnswerError[];
}

interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Where two answers are not the same. */
export interface Difference {
  /** `Type.field`, or one of `answerPlaces`. */
  readonly coordinate: string;
  /** Path in the answer. */
  readonly path: string;
  readonly geth: unknown;
  readonly ours: unknown;
}

/** What differences are told of beside fields. */
const answerPlaces = {
  /** The status, whether there is data, and whether there are errors. */
  outcome: "(outcome)",
  /** The texts of errors, each once. */
  message: "(message)",
} as const;

export interface ComparedAnswers {
  /** Values that were held against each other, by `Type.field`. */
  readonly compared: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

/**
 * Compares two answers to a query value by value. Where the outcomes differ nothing else is compared. `orders` has the member that the items
 * of a list are put in order by, by the list's `Type.field`.
 */
export function compareAnswers(
  schema: GraphQLSchema,
  query: string,
  geth: GraphqlResponse,
  ours: GraphqlResponse,
  orders: ReadonlyMap<string, string> = new Map(),
): ComparedAnswers {
  const [path, compared, differences]: [string, Map<string, number>, Difference[]] = ["", new Map(), []];
  const count = (coordinate: string): void => {
    compared.set(coordinate, (compared.get(coordinate) ?? 0) + 1);
  };
  count(answerPlaces.outcome);
  if (outcomeOf(geth) !== outcomeOf(ours)) {
    differences.push({ coordinate: answerPlaces.outcome, path, geth, ours });
    return { compared, differences };
  }
  if (geth.errors.length > 0) {
    count(answerPlaces.message);
    const [left, right] = [geth, ours].map(({ errors }) => [...new Set(errors.map(({ message }) => message))].sort());
    if (JSON.stringify(left) !== JSON.stringify(right))
      differences.push({ coordinate: answerPlaces.message, path, geth: left, ours: right });
  }
  if (geth.errors.length > 0 && !hasData(geth)) return { compared, differences };

  const compareSelection = (
    type: GraphQLObjectType,
    selection: SelectionSetNode,
    [left, right]: readonly [Fields, Fields],
    at: string,
  ): void => {
    for (const field of selection.selections) {
      if (field.kind !== Kind.FIELD) throw new Error("Fragments are not compared");
      const name = (field.alias ?? field.name).value;
      compareValue(type, field, [left[name], right[name]], `${at}/${name}`);
    }
  };
  const compareValue = (
    type: GraphQLObjectType,
    field: FieldNode,
    [left, right]: readonly [unknown, unknown],
    at: string,
  ): void => {
    const coordinate = `${type.name}.${field.name.value}`;
    count(coordinate);
    const definition = type.getFields()[field.name.value];
    const inner = definition === undefined ? undefined : getNamedType(definition.type);
    const { selectionSet } = field;
    const compareOne = ([one, other]: readonly [unknown, unknown], place: string): void => {
      if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
        for (const [index, item] of one.entries()) compareOne([item, other[index]], `${place}/${index}`);
      else if (isFields(one) && isFields(other) && isObjectType(inner) && selectionSet !== undefined)
        compareSelection(inner, selectionSet, [one, other], place);
      else if (one !== other) differences.push({ coordinate, path: place, geth: one, ours: other });
    };
    const order = orders.get(coordinate);
    compareOne(order === undefined ? [left, right] : [sortBy(left, order), sortBy(right, order)], at);
  };
  const operation = getOperation(parse(query));
  const root = operation.operation === "mutation" ? schema.getMutationType() : schema.getQueryType();
  if (!isObjectType(root) || !isFields(geth.data) || !isFields(ours.data)) throw new Error("An answer without fields");
  compareSelection(root, operation.selectionSet, [geth.data, ours.data], path);
  return { compared, differences };
}

type Fields = Readonly<Record<string, unknown>>;

function sortBy(list: unknown, member: string): unknown {
  if (!Array.isArray(list)) return list;
  const key = (item: unknown): string => (isFields(item) ? String(item[member]) : "");
  return list.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same for answers that agree on the status, on whether there is data, and on whether there are errors. */
function outcomeOf(answer: GraphqlResponse): string {
  return JSON.stringify([answer.status, hasData(answer), answer.errors.length > 0]);
}

/** geth answers no data in several ways: none, null, and objects without members. */
function hasData({ data }: GraphqlResponse): boolean {
  const isSomething = (value: unknown): boolean =>
    isFields(value) ? Object.values(value).some(isSomething) : value !== null && value !== undefined;
  return isSomething(data);
}

function getOperation(document: DocumentNode) {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("A document without operation");
  return operation;
}
