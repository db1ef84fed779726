import { counted } from "../basics/counted.ts";
import { cut } from "../report/shown-value.ts";
import { visibleText } from "../report/visible-text.ts";
import { prerequisiteCalls } from "../run/limits.ts";
import type { OperationPlan, PlannedRequest, RunPlan } from "../run/plan-suite.ts";
import { wrapText } from "../basics/wrap-text.ts";

/** How a plan is printed. */
export interface PlanSettings {
  readonly width: number;
  /** Shows each case, and each request that is known already. */
  readonly isVerbose: boolean;
}

/** Requests of an operation that are shown. */
const shownRequests = 3;

/** What a run would send, and what it would not, for people. */
export function renderPlan(plan: RunPlan, settings: PlanSettings): string {
  const sent = plan.operations.filter(({ isSent, purpose }) => isSent && purpose === "selected");
  const asked = plan.operations.filter(({ isSent, purpose }) => isSent && purpose === "values");
  const unsent = plan.operations.filter(({ isSent, purpose }) => !isSent && purpose !== "none");
  const cases = Map.groupBy(plan.cases, ({ operation }) => operation);
  const named = new Set(plan.operations.map(({ operation }) => operation));
  const others = [...cases.keys()].filter((operation) => !named.has(operation));
  return [
    `Nothing is sent. A run at ${visibleText(plan.baseUrl)} with the seed ${plan.seed} would send at most ${counted(plan.mostRequests, "request")}:`,
    `at most ${plan.callsPerOperation} to an operation. What is known before anything was answered is shown; most cases are made of answers.`,
    "",
    `Sent: ${counted(sent.length, "operation")}`,
    ...sent.flatMap((one) => renderOperation(one, cases.get(one.operation) ?? [], settings)),
    ...others.flatMap((operation) => [
      `  ${visibleText(operation)}: ${counted(cases.get(operation)?.length ?? 0, "case")}`,
      ...requestLines(cases.get(operation) ?? [], settings),
    ]),
    ...(asked.length === 0
      ? []
      : [
          "",
          `Asked at most ${counted(prerequisiteCalls, "time")} each, for values that these may need: ${counted(asked.length, "operation")}`,
          ...wrapText(asked.map(({ origin }) => visibleText(origin)).join(", "), settings.width - 2).map(
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
  settings: PlanSettings,
): readonly string[] {
  return [
    `  ${visibleText(origin)}: ${visibleText(reason)}; ${cases.length === 0 ? "cases are made of answers" : counted(cases.length, "case")}`,
    ...requestLines(cases, settings),
  ];
}

function requestLines(cases: RunPlan["cases"], { isVerbose, width }: PlanSettings): readonly string[] {
  if (isVerbose)
    return cases.flatMap(({ id, expected, previews }) => [
      `    ${id}: ${visibleText(expected)}`,
      ...previews.map((request) => `      ${requestWords(request, width - 6)}`),
    ]);
  return cases
    .flatMap(({ previews }) => previews)
    .slice(0, shownRequests)
    .map((request) => `    ${requestWords(request, width - 4)}`);
}

function requestWords({ method, url, body }: PlannedRequest, width: number): string {
  return cut(visibleText(`${method} ${url}${body === undefined ? "" : ` ${body}`}`), Math.max(40, width));
}
