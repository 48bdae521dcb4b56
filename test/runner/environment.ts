// The environment of a test, and so of all that it starts: nothing of the runner's tools, and nothing that the shell
// happens to have set for the portal.
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'CHROMIUM_PATH',
  'UPDATE_GRID',
  'FUZZ_SEED',
  'FUZZ_PATHS',
  'INTERLEAVING_SEED'
]

export function testEnvironment(
  from: NodeJS.ProcessEnv,
  more: Record<string, string> = {}
): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(([name]) => PASSED_ON.includes(name))
  return { ...Object.fromEntries(kept), ...more }
}
