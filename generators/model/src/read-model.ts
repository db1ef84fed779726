import type * as Api from "@nodewright/api-model";
import type { JsonValue } from "@nodewright/api-model";
import type { SourceRange } from "@nodewright/source";

/** Documentation for people. */
export interface Documentation {
  /** One line. */
  readonly summary?: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Reason, and the replacement, where the document states them. */
  readonly deprecationReason?: string;
  readonly examples?: readonly JsonValue[];
  /** Ranges of the `examples`. */
  readonly exampleSources?: readonly SourceRange[];
}

/** Common part of all elements of a model that was read from a document. The members of `Placed` are added by serialization. */
export interface Sourced extends Api.Placed {
  /** Range in the document. */
  readonly source: SourceRange;
  readonly documentation?: Documentation;
  /** Range of the default of a type. */
  readonly defaultSource?: SourceRange;
}

export type TypeNode = Api.TypeNode<Sourced>;
export type AnyNode = Api.AnyNode<Sourced>;
export type NeverNode = Api.NeverNode<Sourced>;
export type NullNode = Api.NullNode<Sourced>;
export type BooleanNode = Api.BooleanNode<Sourced>;
export type BytesNode = Api.BytesNode<Sourced>;
export type StringNode = Api.StringNode<Sourced>;
export type NumberNode = Api.NumberNode<Sourced>;
export type EnumerationNode = Api.EnumerationNode<Sourced>;
export type ListNode = Api.ListNode<Sourced>;
export type RecordNode = Api.RecordNode<Sourced>;
export type RecordMember = Api.RecordMember<Sourced>;
export type UnionNode = Api.UnionNode<Sourced>;
export type IntersectionNode = Api.IntersectionNode<Sourced>;
export type NotNode = Api.NotNode<Sourced>;
export type ConditionalNode = Api.ConditionalNode<Sourced>;
export type UnevaluatedNode = Api.UnevaluatedNode<Sourced>;
export type ReferenceNode = Api.ReferenceNode<Sourced>;
export type TypeDeclaration = Api.TypeDeclaration<Sourced>;
export type Declarations = Api.Declarations<Sourced>;
export type DeclarationOrder = Api.DeclarationOrder<Sourced>;
export type Parameter = Api.Parameter<Sourced>;
export type ValueExample = Api.ValueExample<Sourced>;
export type PropertyEncoding = Api.PropertyEncoding<Sourced>;
export type Content = Api.Content<Sourced>;
export type RequestBody = Api.RequestBody<Sourced>;
export type ResponseHeader = Api.ResponseHeader<Sourced>;
export type Success = Api.Success<Sourced>;
export type Failure = Api.Failure<Sourced>;
export type Example = Api.Example<Sourced>;
export type Link = Api.Link<Sourced>;
export type Relation = Api.Relation<Sourced>;
export type Operation = Api.Operation<Sourced>;
export type IncomingOperation = Api.IncomingOperation<Sourced>;
export type GraphqlDocument = Api.GraphqlDocument<Sourced>;
export type ApiModel = Api.ApiModel<Sourced>;

export type {
  ContentForm,
  DeclarationRole,
  ExampleInput,
  GraphqlBinding,
  HttpBinding,
  JsonPrimitive,
  JsonValue,
  Extensions,
  NumberRepresentation,
  PageDeclaration,
  Protocol,
  RpcBinding,
  RpcEnvelope,
  SecurityRequirement,
  SecurityScheme,
  Server,
  StatusPattern,
} from "@nodewright/api-model";
