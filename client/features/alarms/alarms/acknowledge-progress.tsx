import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'

export interface Progress {
  /** The number of alarms that are not acknowledged. */
  left: number
  /** The largest number of them since the list was opened. */
  most: number
}

/**
 * How far one has come with acknowledging; null before it has begun.
 * @param listName counting starts again when the name changes
 * @param left undefined if not known
 * @param isCurrent false while `left` may belong to another list
 */
export function useProgress(listName: string, left: number | undefined, isCurrent: boolean): Progress | null {
  const [start, setStart] = useState({ listName: '', most: 0 })
  const isOtherList = start.listName !== listName
  if (isCurrent && left !== undefined && (isOtherList || left > start.most))
    setStart({ listName, most: left })
  return isOtherList || left === undefined || left >= start.most ? null : { left, most: start.most }
}

interface AcknowledgeProgressProps {
  progress: Progress | null
  /** Shows only the alarms that are left; undefined if the list does. */
  onShowLeft: (() => void) | undefined
  /** The number of alarms that moved to this page. */
  moved: number
  onShowMoved: () => void
}

/** Says in the list's foot where one is while one acknowledges, and leads on. */
export function AcknowledgeProgress({ progress, onShowLeft, moved, onShowMoved }: AcknowledgeProgressProps) {
  return (
    <>
      {progress && (
        <p>
          {formatNumber(progress.left)} of {formatNumber(progress.most)} left to acknowledge.{' '}
          {onShowLeft && progress.left > 0 && (
            <button type="button" className="link-button" onClick={onShowLeft}>
              Show only these
            </button>
          )}
        </p>
      )}
      {moved > 0 && (
        <button type="button" className="link-button" onClick={onShowMoved}>
          Show the next {formatNumber(moved)}
        </button>
      )}
    </>
  )
}
