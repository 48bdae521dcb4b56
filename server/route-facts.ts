// Reads facts from the method and the address of a route.

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Whether calls with this method only read (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.includes(method)
}

/** The names of the parameters in a route's address, in their order: `/customers/:customerId` has `customerId`. */
export function parametersOf(url: string): string[] {
  return url.split('/').flatMap((segment) => /^:(\w+)$/.exec(segment)?.[1] ?? [])
}

/** Matches a parameter's value in a path, with all before it as its first group: also in a path that no route has. */
export function valueIn(url: string, parameter: string): RegExp {
  const segments = url.split('/')
  const before = segments.slice(0, segments.indexOf(`:${parameter}`))
  return new RegExp(`(${before.map((segment) => segment.replace(/^:.*/, '[^/]+')).join('/')}/)[^/]+`)
}
