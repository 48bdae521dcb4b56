// Counts the failures of a session store and maps them to 503 problems. A failure ends no session: the browser keeps its
// cookie and may repeat the call.
import { problems } from '../../errors.ts'
import { step } from '../../observability/trace.ts'
import type { Log } from '../../types.ts'
import type { SessionBackend } from './backend.ts'

type Call = (...args: unknown[]) => Promise<unknown>
type Calls = Record<string, Call>

/** @param onFailure receives the error of the store's own library */
export function guardedBackend(
  backend: SessionBackend,
  onFailure: (error: unknown) => void,
  log?: Log
): SessionBackend {
  const calls = backend as unknown as Calls
  const fail = (error: unknown): never => {
    onFailure(error)
    throw problems.storeUnavailable(error)
  }
  const guarded: Calls = {}
  for (const name of Object.keys(calls)) {
    const command = { command: name }
    const stepName = `session store ${name}`
    guarded[name] = (...args) => {
      log?.trace(command, 'session store')
      return step(stepName, {}, () => (calls[name] as Call)(...args)).catch(fail)
    }
  }
  return guarded as unknown as SessionBackend
}
