import { useEffect, useRef } from 'react'
import { isUnderWay, type SavedExport } from '../../api/exports.ts'
import { toasts } from '../../lib/toasts.ts'

/** Says when an export that was under way has come to its end. */
export function useReadyNews(items: readonly SavedExport[] | undefined): void {
  const waiting = useRef(new Set<string>())
  useEffect(() => {
    for (const one of items ?? []) {
      const waited = waiting.current.delete(one.id)
      if (isUnderWay(one)) waiting.current.add(one.id)
      else if (waited && one.status === 'READY') toasts.ok(`Export “${one.exportName}” is ready.`)
      else if (waited && one.status === 'FAILED')
        toasts.failed(
          `Export “${one.exportName}” failed${one.failureReason ? `: ${one.failureReason}` : '.'}`
        )
    }
  }, [items])
}
