import { ServiceError } from "@nodewright/runtime";
import { methodNotFound, publicNodeText, type UpstreamRpcError, warmingUp } from "@nodewright/upstream";

/** Creates the error for a method that needs a node where the endpoint has none. */
export function noNode(method: string): ServiceError {
  const message = `This endpoint has no upstream node, which ${method} needs`;
  return new ServiceError("not_implemented", message, { details: { reason: "no-node", method } });
}

/** Creates the error for a method that the upstream node lacks and nothing else provides. */
function nodeLacks(method: string): ServiceError {
  const message = `The upstream node does not offer ${method}`;
  return new ServiceError("not_implemented", message, { details: { reason: "not-implemented", method } });
}

/** Creates the error for a method that the upstream node does not allow the service to call. */
function nodeRefuses(method: string): ServiceError {
  const message = `The upstream node does not let this service call ${method}`;
  return new ServiceError("not_implemented", message, {
    rpcCode: miscellaneous,
    details: { reason: "node-refuses", method },
  });
}

/** Creates an error of Bitcoin Core's dialect that the node itself has, or would have, returned. */
export function nodeError(code: number, message: string): ServiceError {
  return new ServiceError("invalid_input", message, { rpcCode: code });
}

/** Error code for failures without a code of their own in Bitcoin Core. */
const miscellaneous = -1;
const internalError = -32603;
/** Lowest of Bitcoin Core's own codes (`rpc/protocol.h`); those below are of JSON-RPC. */
const lowestOwnCode = -99;

/** Messages of btcd for methods that it knows only by name. */
const unimplementedTexts = /^(?:Command unimplemented|This implementation does not implement wallet commands)/;
const limitedUserText = /not authorized for this method/;

/** Returns the error that clients receive when the node has refused a method, unless the method has a more specific one. */
export function refusalOfNode(method: string, { code, message }: UpstreamRpcError): ServiceError {
  if (code === warmingUp) return new ServiceError("upstream_unavailable", "The node is starting");
  if (code === methodNotFound || (code === miscellaneous && unimplementedTexts.test(message))) return nodeLacks(method);
  if (limitedUserText.test(message)) return nodeRefuses(method);
  if (code === internalError)
    return new ServiceError("upstream_unavailable", `The node failed to respond to ${method}`);
  if (code < lowestOwnCode || code >= 0) return nodeError(miscellaneous, `The node could not carry out ${method}`);
  return nodeError(code, publicNodeText(message));
}
