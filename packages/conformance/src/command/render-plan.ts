import { counted, visibleText, wrapText } from "@nodewright/terminal-text";
import { calledIn, cut } from "../report/shown-value.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { prerequisiteCalls } from "../run/limits.ts";
import type { RecordedRequest } from "../contract/exchange.ts";
import type { OperationPlan, RunPlan } from "../run/plan-suite.ts";

/** Settings of a printed plan. */
export interface PlanSettings {
  readonly width: number;
  /** Whether each case is shown, and each request that is known already. */
  readonly isVerbose: boolean;
}

/** Maximum number of shown requests of an operation. */
const shownRequests = 3;

/** Renders what a run would send, and what it would not, for people. */
export function renderPlan(plan: RunPlan, settings: PlanSettings): string {
  const sent = plan.operations.filter(({ isSent, purpose }) => isSent && purpose === "selected");
  const requested = plan.operations.filter(({ isSent, purpose }) => isSent && purpose === "values");
  const unsent = plan.operations.filter(({ isSent, purpose }) => !isSent && purpose !== "none");
  const cases = Map.groupBy(plan.cases, ({ operation }) => operation);
  const named = new Set(plan.operations.map(({ operation }) => operation));
  const others = [...cases.keys()].filter((operation) => !named.has(operation));
  return [
    `Nothing is sent. A run at ${visibleText(plan.baseUrl)} with the seed ${plan.seed} would send at most ${counted(plan.maximumRequests, "request")}:`,
    `at most ${plan.callsPerOperation} to an operation. Cases known before the first response are listed; most cases are derived from responses.`,
    "",
    `Sent: ${counted(sent.length + others.filter((operation) => operation !== protocolOperation).length, "operation")}`,
    ...sent.flatMap((one) => renderOperation(one, cases.get(one.operation) ?? [], plan, settings)),
    ...others.flatMap((operation) => [
      `  ${visibleText(operation)}: ${counted(cases.get(operation)?.length ?? 0, "case")}`,
      ...requestLines(cases.get(operation) ?? [], plan, settings),
    ]),
    ...(requested.length === 0
      ? []
      : [
          "",
          `Called at most ${counted(prerequisiteCalls, "time")} each, for values that these may need: ${counted(requested.length, "operation")}`,
          ...wrapText(requested.map(({ origin }) => visibleText(origin)).join(", "), settings.width - 2).map(
            (line) => `  ${line}`,
          ),
        ]),
    "",
    `Not sent: ${counted(unsent.length, "operation")}${unsent.length === 0 ? "" : "; --safe PATTERN or --allow-writes opens them"}`,
    ...unsent.map(({ origin, reason }) => `  ${visibleText(origin)}: ${visibleText(reason)}`),
    "",
  ].join("\n");
}

function renderOperation(
  { origin, reason }: OperationPlan,
  cases: RunPlan["cases"],
  plan: RunPlan,
  settings: PlanSettings,
): readonly string[] {
  return [
    `  ${visibleText(origin)}: ${visibleText(reason)}; ${cases.length === 0 ? "cases are derived from responses" : counted(cases.length, "case")}`,
    ...requestLines(cases, plan, settings),
  ];
}

function requestLines(cases: RunPlan["cases"], plan: RunPlan, { isVerbose, width }: PlanSettings): readonly string[] {
  const line = (request: RecordedRequest, indent: number): string =>
    " ".repeat(indent) + cut(visibleText(requestWords(request, plan)), Math.max(40, width - indent));
  if (isVerbose)
    return cases.flatMap(({ id, expected, previews }) => [
      `    ${id}: ${visibleText(expected)}`,
      ...previews.map((request) => line(request, 6)),
    ]);
  const lines = new Set(cases.flatMap(({ previews }) => previews.map((request) => line(request, 4))));
  return [...lines].slice(0, shownRequests);
}

/**
 * Returns the call of a request: method and parameters for JSON-RPC, selection and variables for GraphQL, method and path for HTTP. Any
 * other body is returned as it is sent.
 */
function requestWords({ method, url, body = "" }: RecordedRequest, { protocol, baseUrl }: RunPlan): string {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  const called = protocol === "http" ? undefined : calledIn(body);
  if (called !== undefined && method === "POST") return called;
  return [method, path === "" ? url : path, body].filter((part) => part !== "").join(" ");
}
