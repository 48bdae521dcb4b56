/** As JSON, because some of them cannot be written by `JSON.stringify`. */
export const WRONG_VALUES = [
  'null',
  'true',
  '-1',
  '1.5',
  '1e308',
  '""',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"toString":1,"valueOf":1,"then":1,"constructor":null,"length":-1,"__proto__":{"id":"x"}}',
  '"__proto__"',
  '"\\ud800\\u0000"',
  '"../../x?y=/"',
  '"9999-99-99T99:99:99Z"',
  `"${'1'.repeat(300_000)}"`,
  `[${Array(10_000).fill('""').join()}]`
] as const

type Path = readonly (string | number)[]

export function fieldsOf(json: unknown): Path[] {
  if (typeof json !== 'object' || json === null) return []
  const entries: [string | number, unknown][] = Array.isArray(json)
    ? json.slice(0, 1).map((item) => [0, item])
    : Object.entries(json)
  return entries.flatMap(([key, value]) => [[key], ...fieldsOf(value).map((path) => [key, ...path])])
}

export function withWrong(json: object, path: Path, value: string): string {
  const mark = '\u0001wrong'
  const copy = structuredClone(json)
  let at = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) {
    at[key] ??= {}
    at = at[key] as typeof at
  }
  at[path.at(-1) ?? ''] = mark
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => value)
}
