// Reads links in bodies of the management API, such as `/projects/3`.
import { isId } from '#shared/scopes.ts'

export type LinkedKind = 'projects' | 'organizations' | 'roles'

/** The id at the end of a link to an object of that kind; null for anything else. */
export function linkedId(kind: LinkedKind, link: unknown): string | null {
  const start = `/${kind}/`
  if (typeof link !== 'string' || !link.startsWith(start)) return null
  const id = link.slice(start.length)
  return isId(id) ? id : null
}
