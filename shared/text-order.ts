// The order of names, for the gateway and the client.

// Made at its first use: a browser's first `Intl` object takes 20 ms, for which the first paint need not wait.
let compare: Intl.Collator['compare'] | undefined

/** Compares two texts as people read them: ignores case and compares numbers by value. */
export function compareTexts(a: string, b: string): number {
  compare ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare
  return compare(a, b)
}
