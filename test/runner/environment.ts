// The environment of a test, and so of all that it starts: nothing of the runner's tools, and nothing that the shell
// happens to have set for the portal.
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'CHROMIUM_PATH',
  'CI',
  'UPDATE_GRID',
  'FUZZ_SEED',
  'FUZZ_PATHS',
  'FAULTS_SEED',
  'INTERLEAVING_SEED'
]

/** Days show in the zone of the machine, wherever that is, unless the shell names another one. */
const HERE = { TZ: 'UTC' }

export function testEnvironment(
  from: NodeJS.ProcessEnv,
  more: Record<string, string> = {}
): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(([name]) => PASSED_ON.includes(name))
  return { ...HERE, ...Object.fromEntries(kept), ...more }
}
