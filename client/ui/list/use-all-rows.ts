import { useState } from 'react'
import { failureOf, isAbort } from '../../lib/http/api-error.ts'
import { toasts } from '../state/toasts.ts'

/** Reads up to `max` rows in the displayed order. */
export type ReadRows<Row> = (max: number, signal: AbortSignal) => Promise<readonly Row[]>

/** Reads the rows of all pages of a list, for a file or for paper. `stop` is null while nothing is being read. */
export function useAllRows<Row>(read: ReadRows<Row>, max: number) {
  const [controller, setController] = useState<AbortController | null>(null)

  async function start(use: (rows: readonly Row[]) => Promise<void> | void): Promise<void> {
    const newController = new AbortController()
    setController(newController)
    try {
      await use(await read(max, newController.signal))
    } catch (error) {
      if (!isAbort(error))
        toasts.failed(failureOf(error).text, { label: 'Retry', onAct: () => void start(use) })
    } finally {
      setController(null)
    }
  }

  return { start, stop: controller && (() => controller.abort()) }
}
