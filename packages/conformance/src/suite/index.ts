export type {
  ConformanceSuite,
  GraphqlSuite,
  HttpSuite,
  RpcSuite,
  SuiteContent,
  SuiteExample,
  SuiteFailure,
  SuiteGraphqlDocument,
  SuiteHeader,
  SuiteHttpOperation,
  SuiteLink,
  SuiteOutcome,
  SuiteParameter,
  SuiteRelation,
  SuiteRpcMethod,
  SuiteSuccess,
} from "./suite.ts";
export type { Bound, Place, RecordMember, SuiteType, SuiteTypes } from "./suite-type.ts";
