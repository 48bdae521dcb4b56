// Conditions of a search; those without a wanted value cost nothing.

export type Condition<T> = (item: T) => boolean

export function asked<T>(conditions: readonly [wanted: unknown, holds: Condition<T>][]): Condition<T>[] {
  return conditions
    .filter(([wanted]) => wanted !== undefined && wanted !== null && wanted !== '')
    .map(([, holds]) => holds)
}

export function filtered<T>(items: readonly T[], conditions: readonly Condition<T>[]): readonly T[] {
  return conditions.reduce((left, holds) => left.filter(holds), items)
}
