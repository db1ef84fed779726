import { credentialHeaders } from "../../client/credentials.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import { planKeyCases } from "../../properties/key.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { isSuccessStatus, classifyResponse } from "./classify-response.ts";
import { type HttpContext, wellObserved } from "./http-context.ts";
import type { HttpOperation } from "./http-operation.ts";

/** Plans requests without a valid key, for operations that require one. */
export function planKeys({ context, source: operation }: HttpOperation): readonly CaseDraft[] {
  const observed = wellObserved(context, operation.name)[0];
  if (observed === undefined || !needsKey(operation) || !isGiven(context, operation)) return [];
  return planKeyCases({
    session: context.session,
    isDescribed: true,
    hasScheme: hasScheme(context, operation),
    place: operation.place,
    call: async (play, key) => {
      const response = await play.send(observed.request, { key });
      const checked = classifyResponse(operation, response, context.types);
      return { response, hasResult: isSuccessStatus(response.status), findings: checked.findings };
    },
  });
}

/** Returns whether the run has a key, or credentials of one of the documented schemes. */
function isGiven({ suite, session: { options } }: HttpContext, { security = [] }: SuiteHttpOperation): boolean {
  const headers = credentialHeaders(options);
  return (
    options.apiKey !== undefined ||
    security.some(([only, ...others]) => {
      const scheme = only === undefined || others.length > 0 ? undefined : suite.security[only.scheme];
      const name = scheme?.kind === "api-key" ? scheme.parameter.toLowerCase() : "authorization";
      return scheme !== undefined && headers[name] !== undefined;
    })
  );
}

/** Returns whether an operation's security has a scheme with an HTTP challenge: `apiKey` schemes have none. */
function hasScheme({ suite }: HttpContext, { security = [] }: SuiteHttpOperation): boolean {
  const schemes = security.flatMap((requirement) => requirement.map(({ scheme }) => suite.security[scheme]));
  return schemes.length > 0 && schemes.every((scheme) => scheme !== undefined && scheme.kind !== "api-key");
}

/** Returns whether an operation requires a key: an invalid key does not affect one that the description opens to everybody. */
function needsKey({ security }: SuiteHttpOperation): boolean {
  return security !== undefined && security.length > 0 && security.every((requirement) => requirement.length > 0);
}
