/** Whether a name is that of something that is chosen by chance, or that is meant to be another one each time. */
export function isNamedByChance(name: string): boolean {
  return /random|chance(?!l)|shuffle|sample|suggest|recommend|featured|lucky|challenge|nonce|token/i.test(name);
}
