import { useEffect, useRef } from 'react'
import { useStored } from '../../../lib/use-stored.ts'
import { Checkbox } from '../../../ui/input/field.tsx'

/** A switch for a sound when alarms arrive. `fresh` is the number of new alarms that are not shown yet. */
export function AlarmSound({ fresh }: { fresh: number }) {
  const [on, setOn] = useStored('portal.alarm-sound', false)
  const lastFresh = useRef(fresh)
  useEffect(() => {
    if (on && fresh > lastFresh.current) playTones()
    lastFresh.current = fresh
  }, [on, fresh])
  return (
    <Checkbox
      kind="switch"
      label="Sound"
      checked={on}
      onChange={(next) => {
        setOn(next)
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
    const startSeconds = context.currentTime + atSeconds
    const volume = new GainNode(context, { gain: 0.2 })
    volume.gain.setTargetAtTime(0, startSeconds + TONE_SECONDS / 2, 0.03)
    const tone = new OscillatorNode(context, { frequency: hertz })
    tone.connect(volume).connect(context.destination)
    tone.start(startSeconds)
    tone.stop(startSeconds + TONE_SECONDS)
  }
}
