import { useEffect, useState } from 'react'
import { isRegistrationCode } from '#shared/validation.ts'
import { useOnReconnect } from '../../../lib/browser.ts'
import { isAbort } from '../../../lib/http/api-error.ts'
import { fetchLicenses, type License } from '../device-changes.ts'

export type Licenses =
  | { state: 'idle' }
  | { state: 'pending' }
  | { state: 'rejected'; error: unknown }
  | { state: 'fulfilled'; licenses: License[] }

/** Looks up the licenses of a complete code. Typing on cancels the look-up before. */
export function useLicenses(code: string, deviceUuid: string, customerId: string) {
  const [answer, setAnswer] = useState<Licenses>({ state: 'idle' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks the same code up again
  useEffect(() => {
    if (!isRegistrationCode(code)) return setAnswer({ state: 'idle' })
    const controller = new AbortController()
    setAnswer({ state: 'pending' })
    fetchLicenses(code, deviceUuid, customerId, controller.signal).then(
      (licenses) => controller.signal.aborted || setAnswer({ state: 'fulfilled', licenses }),
      (error) => isAbort(error) || controller.signal.aborted || setAnswer({ state: 'rejected', error })
    )
    return () => controller.abort()
  }, [code, deviceUuid, customerId, attempt])

  const retry = () => setAttempt(attempt + 1)
  useOnReconnect(answer.state === 'rejected', retry)
  return { answer, retry }
}
