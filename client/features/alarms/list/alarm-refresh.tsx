import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useRef, useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { Updated } from '../../../ui/list/updated.tsx'
import { playAlarmSound } from '../alarm-sound.ts'

const SOUND = 'portal.alarm-sound'

interface AlarmRefreshProps {
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
    if (sound && fresh > known.current) playAlarmSound()
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
          if (on) playAlarmSound()
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
