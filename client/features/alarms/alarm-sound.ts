// Two short tones. A browser lets a page sound once somebody has used it.
let context: AudioContext | null = null

const TONES = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 660, atSeconds: 0.18 }
]
const TONE_SECONDS = 0.16

export function playAlarmSound(): void {
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
