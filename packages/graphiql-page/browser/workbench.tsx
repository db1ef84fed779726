import type { GraphiQLProps } from "graphiql";
import { GraphiQL } from "graphiql";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { type GraphqlRequest, sendQuery } from "./send-query.ts";
import { keepKey, keptKey } from "./kept-key.ts";
import type { PageConfiguration, PageEndpoint } from "../src/page-configuration.ts";
import { startingQuery } from "./starting-query.ts";
import { TopBar } from "./top-bar.tsx";

/** The whole page: which endpoint is asked with which key, and GraphiQL below. */
export function Workbench({ configuration }: { readonly configuration: PageConfiguration }): ReactNode {
  const [endpoint, setEndpoint] = useState(() => chosenEndpoint(configuration, location.hash.slice(1)));
  const [key, setKey] = useState(() => (endpoint === undefined ? "" : keptKey(endpoint)));
  const [problem, setProblem] = useState<string>();

  const chooseNode = useCallback(
    (nodeId: string): void => {
      const chosen = chosenEndpoint(configuration, nodeId);
      setEndpoint(chosen);
      setKey(chosen === undefined ? "" : keptKey(chosen));
      setProblem(undefined);
    },
    [configuration],
  );

  useEffect(() => {
    const follow = () => chooseNode(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [chooseNode]);

  function takeKey(typed: string): void {
    if (endpoint !== undefined) keepKey(endpoint, typed);
    setKey(typed);
    setProblem(undefined);
  }

  // Another fetcher makes GraphiQL read the schema anew.
  const fetcher = useMemo(
    () =>
      async (request: GraphqlRequest): Promise<object> => {
        if (endpoint === undefined) return refusal("Choose a node first, at the top of the page.");
        if (key === "") return refusal(`Type the API key of ${endpoint.nodeId} first, at the top of the page.`);
        const { problem, body } = await sendQuery(endpoint, key, request);
        setProblem(problem);
        return body;
      },
    [endpoint, key],
  );
  const isReady = endpoint !== undefined && key !== "";
  return (
    <>
      <TopBar
        configuration={configuration}
        endpoint={endpoint}
        apiKey={key}
        problem={problem}
        onKey={takeKey}
        onNode={(nodeId) => {
          history.replaceState(null, "", `#${nodeId}`);
          chooseNode(nodeId);
        }}
      />
      <GraphiQL
        fetcher={fetcher as GraphiQLProps["fetcher"]}
        {...(isReady ? {} : { schema: null })}
        defaultQuery={startingQuery}
        schemaDescription
        isHeadersEditorEnabled={false}
        shouldPersistHeaders={false}
      >
        <GraphiQL.Logo>{null}</GraphiQL.Logo>
      </GraphiQL>
    </>
  );
}

/** The endpoint of a node; of any other name the first that is offered, and none where all have to be named. */
function chosenEndpoint({ endpoints }: PageConfiguration, nodeId: string): PageEndpoint | undefined {
  if (endpoints !== undefined) return endpoints.find((endpoint) => endpoint.nodeId === nodeId) ?? endpoints[0];
  return /^[a-z0-9-]+$/.test(nodeId) ? { nodeId, url: new URL(`${nodeId}/graphql`, document.baseURI).href } : undefined;
}

function refusal(message: string): object {
  return { errors: [{ message }] };
}
