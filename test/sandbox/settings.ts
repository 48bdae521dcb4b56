// Reads the settings from the environment and reports all mistakes at once.
import type { SandboxOptions } from './app.ts'
import { readFaults } from './faults.ts'

const DEVICES_MAX = 1_000_000
const CUSTOMERS_MAX = 2_000
const ALARM_PACE_MAX_SECONDS = 86_400
const PORT_DEFAULT = 4000
const PORT_MAX = 65_535

/** Throws one error with a line for each invalid value. */
export function readSettings(env: Record<string, string | undefined>): SandboxOptions {
  const problems: string[] = []
  const number = (name: string, fallback: number, max: number): number => {
    const text = env[name] || String(fallback)
    if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
    problems.push(`${name} must be a whole number from 0 to ${max}, not "${text}"`)
    return fallback
  }
  const address = (name: string, fallback: string): string => {
    const text = env[name] || fallback
    if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/$/, '')
    problems.push(`${name} must be an http(s) URL, not "${text}"`)
    return fallback
  }
  const faults = env.SANDBOX_FAULTS ?? ''
  try {
    readFaults(faults)
  } catch (error) {
    problems.push(`SANDBOX_FAULTS: ${(error as Error).message}`)
  }

  const port = number('SANDBOX_PORT', PORT_DEFAULT, PORT_MAX)
  const options = {
    port,
    host: env.SANDBOX_HOST || '127.0.0.1',
    devices: number('SANDBOX_DEVICES', 0, DEVICES_MAX),
    customers: number('SANDBOX_CUSTOMERS', 0, CUSTOMERS_MAX),
    alarmPaceSeconds: number('SANDBOX_ALARM_PACE', 0, ALARM_PACE_MAX_SECONDS),
    latencyMs: number('SANDBOX_LATENCY_MS', 0, 600_000),
    gatewayUrl: address('GATEWAY_URL', 'http://localhost:3000'),
    faults,
    ...(env.SANDBOX_URL ? { publicUrl: address('SANDBOX_URL', `http://localhost:${port}`) } : {})
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return options
}

/** The port in this variable. Throws if it is none. */
export function portIn(env: Record<string, string | undefined>, name: string, fallback: string): string {
  const text = env[name] || fallback
  if (/^\d+$/.test(text) && Number(text) <= PORT_MAX) return text
  throw new Error(`${name} must be a whole number from 0 to ${PORT_MAX}, not "${text}"`)
}

/** One sentence about a program that could not start. */
export function startFailure(error: unknown, portSettings: string): string {
  const { message, code } = error as NodeJS.ErrnoException
  // Vite's error has no code.
  const isTaken = code === 'EADDRINUSE' || /^Port \d+ is already in use$/.test(message)
  return isTaken ? `${message}: choose another ${portSettings}` : message
}
