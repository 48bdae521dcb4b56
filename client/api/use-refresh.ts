import { useSWRConfig } from 'swr'
import { useKeyOf } from './identity.ts'

/** After a change: what was read below any of the paths is read again, for this person and organization. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  return async (...paths) => {
    await mutate((key) => {
      if (!Array.isArray(key)) return false
      return paths.some((path) => {
        const [userId, organizationId] = keyOf(path)
        return key[0] === userId && key[1] === organizationId && String(key[2]).startsWith(path)
      })
    })
  }
}
