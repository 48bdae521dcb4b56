import { useEffect, useRef, useState } from 'react'
import { ApiError, isAbort, isOutcomeUnknown, refusalText } from '../../lib/http/api-error.ts'
import { readBack, waitFor } from '../../lib/read-back.ts'
import { CommandRefused, type DeviceIds, type LiveValue, readValues } from './api.ts'

export type CommandState =
  | { step: 'ready' }
  | { step: 'sending' }
  /** `lost`: no answer came, so the result is unknown. */
  | { step: 'reading'; lost: boolean }
  | { step: 'taken'; last: LiveValue }
  | { step: 'not-taken'; last: LiveValue | null; lost: boolean }
  /** `final`: a retry would be refused again. */
  | { step: 'refused'; reason: string; final: boolean }

/** Sends a command to a point and reads back the point's value. Stops when the dialog closes. */
export function useCommand(deviceIds: DeviceIds, cloudId: string) {
  const [state, setState] = useState<CommandState>({ step: 'ready' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function run(
    send: (signal: AbortSignal) => Promise<void>,
    isTaken: (liveValue: LiveValue) => boolean
  ) {
    controller.current?.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    setState({ step: 'sending' })
    try {
      const lost = await send(signal).then(
        () => false,
        (error) => {
          if (isOutcomeUnknown(error)) return true
          throw error
        }
      )
      setState({ step: 'reading', lost })
      const { taken, last } = await readBack(
        async () => {
          const [liveValue] = await readValues(deviceIds, [cloudId], signal)
          if (!liveValue || liveValue.error !== null) throw new Error('the device could not be read')
          return liveValue
        },
        isTaken,
        (ms) => waitFor(ms, signal)
      )
      setState(taken && last ? { step: 'taken', last } : { step: 'not-taken', last, lost })
    } catch (error) {
      if (signal.aborted || isAbort(error)) return
      const final = error instanceof ApiError && error.status === 403
      setState({ step: 'refused', reason: reasonOf(error), final })
    }
  }

  return { state, run }
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandRefused) return `The device refused: ${error.message}.`
  const isRefused = error instanceof ApiError && error.status < 500
  return `${isRefused ? 'The command was refused. ' : ''}${refusalText(error)}`
}
