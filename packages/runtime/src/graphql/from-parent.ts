/** Returns a resolver that reads the field from its parent: `number: fromParent("number")`. */
export function fromParent<Name extends string>(name: Name): <Value>(parent: Readonly<Record<Name, Value>>) => Value {
  return (parent) => parent[name];
}
