import { callOperators } from "./call-operators.ts";
import { graphqlOperators } from "./graphql-operators.ts";
import type { Operator } from "./operator.ts";
import { restOperators } from "./rest-operators.ts";
import { rpcOperators } from "./rpc-operators.ts";
import { valueOperators } from "./value-operators.ts";

/** All ways in which servers are made faulty; one name may stand for several, each of other kinds. */
export const operators: readonly Operator[] = [
  ...valueOperators,
  ...callOperators,
  ...restOperators,
  ...rpcOperators,
  ...graphqlOperators,
];
