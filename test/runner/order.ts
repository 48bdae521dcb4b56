// The order of a run: what takes long begins first, so that the last minute is not that of one file.

/** Those that take more than some 20 s on two cores, as a run prints them, the longest first. */
export const LONG = [
  'test/e2e/accessibility/pages.test.ts',
  'test/e2e/accessibility/states.test.ts',
  'test/server/faults.test.ts',
  'test/server/auth/sessions/interleavings.test.ts',
  'test/server/main.test.ts',
  'test/server/auth/refresh-storm.test.ts',
  'test/server/auth/sessions/redis-failover.test.ts',
  'test/e2e/history.test.ts',
  'test/e2e/alarms.test.ts',
  'test/e2e/exports.test.ts',
  'test/e2e/frame.test.ts',
  'test/server/access/path-fuzz.test.ts',
  'test/e2e/users.test.ts',
  'test/server/lifecycle/rolling-restart.test.ts',
  'test/server/auth/authority/other-authorities.test.ts',
  'test/e2e/session.test.ts',
  'test/e2e/projects.test.ts',
  'test/e2e/customers.test.ts',
  'test/e2e/sign-in.test.ts',
  'test/e2e/service-accounts.test.ts',
  'test/e2e/sites-keyboard.test.ts',
  'test/server/inventory/cache.test.ts',
  'test/server/auth/backchannel-logout.test.ts',
  'test/e2e/routes.test.ts',
  'test/e2e/reports.test.ts',
  'test/server/auth/token-refresh.test.ts',
  'test/server/auth/authority/jwks.test.ts',
  'test/e2e/devices.test.ts',
  'test/e2e/device-details.test.ts'
]

const placeOf = (path: string): number => (LONG.includes(path) ? LONG.indexOf(path) : LONG.length)

/** After the long ones those that wait for a browser, then the others as they are found. */
export function longestFirst(files: readonly string[]): string[] {
  const browsed = (path: string) => Number(path.startsWith('test/e2e/'))
  return files.toSorted((one, other) => placeOf(one) - placeOf(other) || browsed(other) - browsed(one))
}
