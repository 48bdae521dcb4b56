// Code that does not load, as without a connection.
import { registerHooks } from 'node:module'
import type { Test } from 'tap'

/** Makes imports of a file fail until `restore`, or until the test ends. */
export function withoutCode(t: Test, fileName: string) {
  let failedCount = 0
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!specifier.endsWith(`/${fileName}`)) return nextResolve(specifier, context)
      failedCount += 1
      throw new TypeError('Failed to fetch dynamically imported module')
    }
  })
  const restore = () => hooks.deregister()
  t.teardown(restore)
  return { failedCount: () => failedCount, restore }
}
