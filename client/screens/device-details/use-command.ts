import { useEffect, useRef, useState } from 'react'
import { failureOf, isAbort } from '../../api/api-error.ts'
import { CommandRefused, type DevicePlace, type LiveValue, readValues } from '../../api/live-values.ts'
import { readBack } from '../../lib/read-back.ts'

export type CommandState =
  | { step: 'ready' }
  | { step: 'sending' }
  | { step: 'reading' }
  | { step: 'taken'; last: LiveValue }
  | { step: 'not-taken'; last: LiveValue | null }
  | { step: 'refused'; reason: string }

/** Sends a command and reads back whether the device obeyed; given up when the dialog goes. */
export function useCommand(place: DevicePlace, cloudId: string) {
  const [state, setState] = useState<CommandState>({ step: 'ready' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function run(send: (signal: AbortSignal) => Promise<void>, isTaken: (reading: LiveValue) => boolean) {
    controller.current?.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    setState({ step: 'sending' })
    try {
      await send(signal)
      setState({ step: 'reading' })
      const { taken, last } = await readBack(
        async () => {
          const [reading] = await readValues(place, [cloudId], signal)
          if (!reading) throw new Error('the device did not answer')
          return reading
        },
        isTaken,
        (ms) => waitFor(ms, signal)
      )
      setState(taken && last ? { step: 'taken', last } : { step: 'not-taken', last })
    } catch (error) {
      if (signal.aborted || isAbort(error)) return
      setState({ step: 'refused', reason: reasonOf(error) })
    }
  }

  return { state, run }
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandRefused) return `The device refused: ${error.message}.`
  const { title, text } = failureOf(error)
  return `${title}. ${text}`
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('given up', 'AbortError'))
    })
  })
}
