// The environment variables that a test sees.
const ALLOWED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'CHROMIUM_PATH',
  'CI',
  'UPDATE_EXAMPLES',
  'UPDATE_GRID',
  'UPDATE_RELEASED',
  'FUZZ_SEED',
  'INTERLEAVING_SEED'
]

export function testEnvironment(
  source: NodeJS.ProcessEnv,
  additions: Record<string, string> = {}
): NodeJS.ProcessEnv {
  const allowedVariables = Object.entries(source).filter(([name]) => ALLOWED.includes(name))
  return { TZ: 'UTC', ...Object.fromEntries(allowedVariables), ...additions }
}
