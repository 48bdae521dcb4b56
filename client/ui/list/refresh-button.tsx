import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useState } from 'react'
import { useTick } from '../../lib/time/ago.ts'
import { ageText } from '../../lib/time/time.ts'
import { IconButton } from '../input/icon-button.tsx'

interface RefreshButtonProps {
  name?: string
  busy: boolean
  onRefresh: () => void
}

export function RefreshButton({ name = 'Refresh the list', busy, onRefresh }: RefreshButtonProps) {
  return <IconButton name={name} Icon={RefreshCw} className="" off={busy} onPress={onRefresh} />
}

interface UpdatedProps {
  busy: boolean
  failed: boolean
  /** Interval at which the displayed age is updated. */
  everyMs?: number
}

export function Updated({ busy, failed, everyMs = 1_000 }: UpdatedProps) {
  const [atMs, setAtMs] = useState<number | null>(null)
  useTick(everyMs)
  useEffect(() => {
    if (!busy && !failed) setAtMs(Date.now())
  }, [busy, failed])
  return (
    <span className="muted updated">
      {atMs === null ? 'Not loaded yet' : `Updated ${ageText(new Date(atMs).toISOString(), Date.now())} ago`}
    </span>
  )
}
