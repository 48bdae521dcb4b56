import { useSWRConfig } from 'swr'
import { useKeyOf } from './identity.ts'
import { isHeld } from './in-flight.ts'

/** After a change: what was read below any of the paths is read again where it shows, and forgotten where it does not. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  return async (...paths) => {
    const below = (key: unknown) => {
      if (!Array.isArray(key)) return false
      return paths.some((path) => {
        const [userId, organizationId] = keyOf(path)
        return key[0] === userId && key[1] === organizationId && String(key[2]).startsWith(path)
      })
    }
    // Growing lists do not read again by themselves when they are come back to.
    await mutate((key) => below(key) && !isHeld(familyOf(key)), undefined, { revalidate: false })
    await mutate(below)
  }
}

/** The same for all that is known of a customer; the cards of the customer list count its projects and devices. */
export function useCustomerRefresh(customerId: string): () => Promise<void> {
  const refresh = useRefresh()
  return () =>
    refresh(`/api/portal/v1/customers/${encodeURIComponent(customerId)}/`, '/api/portal/v1/organizations/')
}

/** Keys of growing lists have the number of pages, or the word count, behind the path. */
function familyOf(key: unknown): string {
  return String((key as unknown[])[2]).replace(/ (?:\d+|count)$/, '')
}
