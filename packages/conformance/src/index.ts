export { relationsBetween } from "./against/read-interfaces.ts";
export type { CaseGroup } from "./contract/planned-case.ts";
export type { Level } from "./contract/rule.ts";
export { renderPlainReport } from "./report/terminal/render-terminal.ts";
export type {
  CaseReport,
  Coverage,
  FindingReport,
  Latency,
  OperationReport,
  ReplayResult,
  Report,
  RunObserver,
  Verdict,
} from "./contract/report.ts";
export type { Across, AcrossRelation, MayDiffer, RunOptions } from "./contract/options.ts";
export { playSuite, replayCase } from "./run/play-suite.ts";
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
} from "./suite/suite.ts";
export type { Bound, Place, RecordMember, SuiteType, SuiteTypes } from "./suite/suite-type.ts";
export type { RecordedExchange, RecordedRequest as PlannedRequest } from "./contract/exchange.ts";
export { type CasePlan, type OperationPlan, planSuite, type RunPlan } from "./run/plan-suite.ts";
