import { useEffect, useRef, useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { playAlarmSound } from '../alarm-sound.ts'

const SOUND = 'portal.alarm-sound'

/** Whether new alarms sound; `fresh` are offered and not shown yet. */
export function useAlarmSound(fresh: number) {
  const [on, setOn] = useState(() => recall<boolean>(SOUND) === true)
  const known = useRef(fresh)
  useEffect(() => {
    if (on && fresh > known.current) playAlarmSound()
    known.current = fresh
  }, [on, fresh])
  const change = (next: boolean) => {
    setOn(next)
    remember(SOUND, next)
    // It says what it will sound like, and makes use of being allowed to.
    if (next) playAlarmSound()
  }
  return { on, change }
}

interface AlarmSwitchesProps {
  refreshing: boolean
  onRefreshing: (on: boolean) => void
  sound: ReturnType<typeof useAlarmSound>
}

/** Whether the list is read again by itself, and whether new alarms sound. */
export function AlarmSwitches({ refreshing, onRefreshing, sound }: AlarmSwitchesProps) {
  return (
    <>
      <Checkbox kind="switch" label="Sound" checked={sound.on} onChange={sound.change} />
      <Checkbox kind="switch" label="Refresh every 20 s" checked={refreshing} onChange={onRefreshing} />
    </>
  )
}
