import { type ReactNode, useEffect, useState } from "react";
import type { PageConfiguration, PageEndpoint } from "../src/page-configuration.ts";

export interface TopBarProps {
  readonly configuration: PageConfiguration;
  readonly endpoint: PageEndpoint | undefined;
  readonly apiKey: string;
  /** Why the last question was not answered. */
  readonly problem: string | undefined;
  onKey(key: string): void;
  onNode(nodeId: string): void;
}

/** Which node is asked, and with which key. */
export function TopBar({ configuration, endpoint, apiKey, problem, onKey, onNode }: TopBarProps): ReactNode {
  const [typed, setTyped] = useState(apiKey);
  useEffect(() => setTyped(apiKey), [apiKey]);
  return (
    <header className="top-bar">
      <h1>GraphQL</h1>
      <NodeChoice configuration={configuration} endpoint={endpoint} onNode={onNode} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onKey(typed.trim());
        }}
      >
        <label>
          API key
          <input
            type="password"
            name="key"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit">Use</button>
      </form>
      <p role="status" className={problem === undefined ? "" : "problem"}>
        {problem ?? hint(configuration, endpoint, apiKey)}
      </p>
    </header>
  );
}

function NodeChoice({ configuration, endpoint, onNode }: Pick<TopBarProps, "configuration" | "endpoint" | "onNode">) {
  const { endpoints } = configuration;
  if (endpoints === undefined) return <NodeName endpoint={endpoint} onNode={onNode} />;
  return (
    <label>
      Node
      <select name="node" value={endpoint?.nodeId ?? ""} onChange={(event) => onNode(event.target.value)}>
        {endpoints.map(({ nodeId }) => (
          <option key={nodeId}>{nodeId}</option>
        ))}
      </select>
    </label>
  );
}

/** Which nodes there are is not said to whoever has no key. */
function NodeName({ endpoint, onNode }: Pick<TopBarProps, "endpoint" | "onNode">) {
  const [typed, setTyped] = useState(endpoint?.nodeId ?? "");
  return (
    <label>
      Node
      <input
        name="node"
        value={typed}
        placeholder="its name"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (typed !== (endpoint?.nodeId ?? "")) onNode(typed);
        }}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}

function hint({ endpoints, keyFile }: PageConfiguration, endpoint: PageEndpoint | undefined, key: string): string {
  if (endpoints?.length === 0) return "This service has no node that speaks GraphQL.";
  if (endpoint === undefined) return "Name the node and type its key.";
  if (key !== "") return endpoint.url;
  return keyFile === undefined ? "Type the key of this node." : `The key lies in ${keyFile}.`;
}
