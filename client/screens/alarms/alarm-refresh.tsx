import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useRef, useState } from 'react'
import { Checkbox } from '../../components/field.tsx'
import { chime } from '../../lib/chime.ts'
import { ageText } from '../../lib/clock.ts'
import { recall, remember } from '../../lib/store.ts'
import { useTick } from '../../lib/use-tick.ts'

const SOUND = 'portal.alarm-sound'
const AGE_MS = 1_000

export interface AlarmRefreshProps {
  refreshing: boolean
  onRefreshing: (on: boolean) => void
  onRefresh: () => void
  busy: boolean
  failed: boolean
  /** New alarms that are offered and not shown yet. */
  fresh: number
}

/** How old the list is, whether it is read again by itself, and whether new alarms sound. */
export function AlarmRefresh({
  refreshing,
  onRefreshing,
  onRefresh,
  busy,
  failed,
  fresh
}: AlarmRefreshProps) {
  const [sound, setSound] = useState(() => recall<boolean>(SOUND) === true)
  const known = useRef(fresh)
  useEffect(() => {
    if (sound && fresh > known.current) chime()
    known.current = fresh
  }, [sound, fresh])
  return (
    <>
      <Updated busy={busy} failed={failed} />
      <Checkbox
        kind="switch"
        label="Sound"
        checked={sound}
        onChange={(on) => {
          setSound(on)
          remember(SOUND, on)
          // It says what it will sound like, and makes use of being allowed to.
          if (on) chime()
        }}
      />
      <Checkbox kind="switch" label="Refresh every 20 s" checked={refreshing} onChange={onRefreshing} />
      <button type="button" className="button" onClick={onRefresh}>
        <RefreshCw />
        Refresh
      </button>
    </>
  )
}

function Updated({ busy, failed }: Pick<AlarmRefreshProps, 'busy' | 'failed'>) {
  const [atMs, setAtMs] = useState<number | null>(null)
  useTick(AGE_MS)
  useEffect(() => {
    if (!busy && !failed) setAtMs(Date.now())
  }, [busy, failed])
  return (
    <span className="muted alarm-age">
      {atMs === null ? 'Not loaded yet' : `Updated ${ageText(new Date(atMs).toISOString(), Date.now())} ago`}
    </span>
  )
}
