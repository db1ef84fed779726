import { ServiceError } from "@nodewright/runtime";
import { methodNotFound, publicNodeText, type UpstreamRpcError, warmingUp } from "@nodewright/upstream";

/** No node stands behind the endpoint, so what needs one can't be answered. */
export function noNode(method: string): ServiceError {
  const message = `No node stands behind this endpoint: ${method} is answered by a node alone`;
  return new ServiceError("not_implemented", message, { details: { reason: "no-node", method } });
}

/** The node behind has no such method, and nothing else knows the answer. */
function nodeLacks(method: string): ServiceError {
  const message = `The node behind this endpoint does not offer ${method}`;
  return new ServiceError("not_implemented", message, { details: { reason: "not-implemented", method } });
}

/** The node behind does not let the service call the method. */
function nodeRefuses(method: string): ServiceError {
  const message = `The node behind this endpoint does not let this service call ${method}`;
  return new ServiceError("not_implemented", message, {
    rpcCode: miscellaneous,
    details: { reason: "node-refuses", method },
  });
}

/** An error of Bitcoin Core's dialect that the node itself has, or would have, answered. */
export function nodeError(code: number, message: string): ServiceError {
  return new ServiceError("invalid_input", message, { rpcCode: code });
}

/** What has no code of its own in Bitcoin Core. */
const miscellaneous = -1;
const internalError = -32603;
/** Bitcoin Core's own codes (`rpc/protocol.h`); those below are of JSON-RPC. */
const lowestOwnCode = -99;

/** What btcd says of methods that it knows by name alone. */
const unimplementedTexts = /^(?:Command unimplemented|This implementation does not implement wallet commands)/;
const limitedUserText = /not authorized for this method/;

/** What callers are told when the node has refused a method, unless the method knows better. */
export function refusalOfNode(method: string, { code, message }: UpstreamRpcError): ServiceError {
  if (code === warmingUp) return new ServiceError("upstream_unavailable", "The node is starting");
  if (code === methodNotFound || (code === miscellaneous && unimplementedTexts.test(message))) return nodeLacks(method);
  if (limitedUserText.test(message)) return nodeRefuses(method);
  if (code === internalError) return new ServiceError("upstream_unavailable", `The node failed to answer ${method}`);
  if (code < lowestOwnCode || code >= 0) return nodeError(miscellaneous, `The node could not carry out ${method}`);
  return nodeError(code, publicNodeText(message));
}
