import { useEffect, useRef, useState } from 'react'
import { recall, remember } from '../../lib/storage.ts'
import { Checkbox } from '../../ui/input/field.tsx'

const STORED = 'portal.alarm-sound'

/** A switch for a sound at new alarms. `fresh` is the number of alarms that are not shown yet. */
export function AlarmSound({ fresh }: { fresh: number }) {
  const [on, setOn] = useState(() => recall<boolean>(STORED) === true)
  const known = useRef(fresh)
  useEffect(() => {
    if (on && fresh > known.current) playTones()
    known.current = fresh
  }, [on, fresh])
  return (
    <Checkbox
      kind="switch"
      label="Sound"
      checked={on}
      onChange={(next) => {
        setOn(next)
        remember(STORED, next)
        // Browsers allow sound only after a click.
        if (next) playTones()
      }}
    />
  )
}

let context: AudioContext | null = null

const TONES = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 660, atSeconds: 0.18 }
]
const TONE_SECONDS = 0.16

function playTones(): void {
  if (typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  void context.resume()
  for (const { hertz, atSeconds } of TONES) {
    const begin = context.currentTime + atSeconds
    const volume = new GainNode(context, { gain: 0.2 })
    volume.gain.setTargetAtTime(0, begin + TONE_SECONDS / 2, 0.03)
    const tone = new OscillatorNode(context, { frequency: hertz })
    tone.connect(volume).connect(context.destination)
    tone.start(begin)
    tone.stop(begin + TONE_SECONDS)
  }
}
