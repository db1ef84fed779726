/** What stands beside a file of operations: of `block.graphql` and `.examples.yaml`, `block.examples.yaml`. */
export function companionFile(file: string, ending: string): string {
  return file.replace(/\.(?:graphqls?|gql)$/, "") + ending;
}
