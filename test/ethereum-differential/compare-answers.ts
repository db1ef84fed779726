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
export interface GraphqlAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly errors: readonly AnswerError[];
}

export interface AnswerError {
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
export const answerPlaces = {
  /** Whether there is an answer, which errors it has and where, and the status. */
  outcome: "(outcome)",
  /** The texts of errors. */
  message: "(message)",
} as const;

export interface ComparedAnswers {
  /** Values that were held against each other, by `Type.field`. */
  readonly compared: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

/** Compares two answers to a query value by value. Where the outcomes differ nothing else is compared. */
export function compareAnswers(
  schema: GraphQLSchema,
  query: string,
  geth: GraphqlAnswer,
  ours: GraphqlAnswer,
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
  const ordered = [geth, ours].map(({ errors }) =>
    errors.toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1)),
  );
  for (const [at, error] of (ordered[0] ?? []).entries()) {
    count(answerPlaces.message);
    const own = ordered[1]?.[at]?.message;
    if (error.message !== own)
      differences.push({ coordinate: answerPlaces.message, path: placeOf(error), geth: error.message, ours: own });
  }
  if (geth.data === null || geth.data === undefined) return { compared, differences };

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
    compareOne([left, right], at);
  };
  const operation = getOperation(parse(query));
  const root = operation.operation === "mutation" ? schema.getMutationType() : schema.getQueryType();
  if (!isObjectType(root) || !isFields(geth.data) || !isFields(ours.data)) throw new Error("An answer without fields");
  compareSelection(root, operation.selectionSet, [geth.data, ours.data], path);
  return { compared, differences };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text that is the same for answers that agree on whether there is data, on where errors are, and on the status. */
function outcomeOf({ status, data, errors }: GraphqlAnswer): string {
  const has = data !== undefined && data !== null && Object.keys(data).length > 0;
  return JSON.stringify([
    status,
    has && Object.values(data).some((value) => value !== null),
    errors.map(placeOf).sort(),
  ]);
}

function placeOf({ path }: AnswerError): string {
  return path === undefined ? "" : `/${path.join("/")}`;
}

function getOperation(document: DocumentNode) {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("A document without operation");
  return operation;
}
